// Names that C and C++ take.
#include "embed/names.hpp"

#include <doctest/doctest.h>

namespace tmemc::embed {

TEST_CASE("a name is changed only where it is not free") {
    CHECK(free_name("A") == "A");
    CHECK(free_name("new") == "new_");
    CHECK(free_name("linux") == "linux_");
    CHECK(free_name("half2") == "half2_");
    CHECK(free_name("uchar4") == "uchar4_");
    CHECK(free_name("uchar5") == "uchar5");
    CHECK(free_name("UINT32_MAX") == "UINT32_MAX_");
    CHECK(free_name("row_MAX") == "row_MAX");
    CHECK(free_name("__shared__") == "shared__");
    CHECK(free_name("_New") == "New");
    CHECK(free_name("__new") == "new_");
    CHECK(free_name("__") == "_");
    CHECK(free_name("_x") == "_x");
    CHECK(free_name("TMEMC_LAUNCH") == "TMEMC_LAUNCH_");
    CHECK(free_name("SEEK_SET") == "SEEK_SET_");
    CHECK(free_name("stream", {"stream", "stream_"}) == "stream__");
    CHECK(free_name("class", {"class_"}) == "class__");
}

TEST_CASE("any text becomes part of a name") {
    CHECK(as_name("my-kernel.v2") == "my_kernel_v2");
    CHECK(as_name("2nd") == "_2nd");
    CHECK(as_name("") == "_");
    CHECK(before_underscore("tmemc") == "tmemc_");
    CHECK(before_underscore("tmemcs") == "tmemcs");
    CHECK(as_name("\xc3\xa9t\xc3\xa9") == "__t__");
}

TEST_CASE("what the user chooses must be a name") {
    CHECK(is_name("my_"));
    CHECK(is_name("a::b", true));
    for (const char* wrong : {"", "2", "a b", "a::b", "a-", "namespace", "__", "__a", "_A"})
        CHECK_FALSE(is_name(wrong));
    for (const char* wrong : {"a::", "::a", "a::::b", "a:b", "a::new", "std", "std::a", "__a::b"})
        CHECK_FALSE(is_name(wrong, true));
}

} // namespace tmemc::embed
