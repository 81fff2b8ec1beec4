" Programs of tmemc.
autocmd BufRead,BufNewFile *.tmx setfiletype tmx
