namespace tmemc {}
