// The one place that compiles doctest's implementation; every unit executable links it.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
