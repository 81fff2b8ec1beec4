// The head of a kernel: tensors, scalars, grid, warpgroups, target.
#include "checking.hpp"

namespace tmemc::sema {

TEST_SUITE_BEGIN("sema");

namespace {

std::string head(std::string_view parameters, std::string_view clauses = "") {
    return fmt::format("kernel k({}) {} {{ }}", parameters, clauses);
}
Tensor tensor(const std::string& parameter) {
    return std::get<Tensor>(accepts(head(parameter)).kernel().parameters.at(0));
}

} // namespace

TEST_CASE("parameters keep their order, types and directions") {
    const Checked found = accepts(
        "const W = 8;\nkernel k(in A: f16[128, W], s: f32, out B: u8[100], inout C: bf16[2, 3] align 2) { }");
    const std::vector<Parameter>& p = found.kernel().parameters;
    REQUIRE(p.size() == 4);
    const auto& a = std::get<Tensor>(p[0]);
    CHECK(a.name == "A");
    CHECK(a.dtype == Dtype::f16);
    CHECK(a.direction == Direction::in);
    CHECK(a.extents == std::vector<std::int64_t>{128, 8});
    CHECK(a.pitch == 8);
    CHECK(a.align == 32);
    CHECK(a.elements() == 1024);
    CHECK(std::get<Scalar>(p[1]).dtype == Dtype::f32);
    CHECK(std::get<Tensor>(p[2]).extents == std::vector<std::int64_t>{100});
    CHECK(std::get<Tensor>(p[2]).direction == Direction::out);
    CHECK(std::get<Tensor>(p[3]).direction == Direction::inout);
    CHECK(std::get<Tensor>(p[3]).align == 2);
    CHECK(found.source.text(a.span) == "A");
}

TEST_CASE("a tensor has one or two positive extents") {
    accepts(head("in A: f32[1]"));
    accepts(head("in A: f32[1, 1]"));
    refuses(head("in A: f32[1, 1, 1]"), "TM0213", 1, 16, {"3 dimensions", "one or two"});
    refuses(head("in A: f32[0]"), "TM0212", 1, 20, {"`A` is 0"});
    refuses(head("in A: f32[4, 1 - 2]"), "TM0212", 1, 23, {"-1"});
    refuses(head("in A: f32[4, 2147483648]"), "TM0212", 1, 23, {"2147483647"});
}

TEST_CASE("a tensor has at most 2^40 bytes") {
    accepts(head("in A: u8[1048576, 1048576]"));
    refuses(head("in A: u8[1048577, 1048576]"), "TM0214", 1, 16, {"`A`", "2^40"});
    refuses(head("in A: u16[1048576, 1048576]"), "TM0214", 1, 16);
    refuses(head("in A: u8[1048576, 8] pitch 1048577"), "TM0214", 1, 16);
    refuses(head("in A: f32[2147483647, 2147483647]"), "TM0214", 1, 16);
}

TEST_CASE("a pitch is at least the columns") {
    CHECK(tensor("in A: f32[4, 8] pitch 8").pitch == 8);
    CHECK(tensor("in A: f32[4, 8] pitch 4 * 3").pitch == 12);
    refuses(head("in A: f32[4, 8] pitch 7"), "TM0215", 1, 32, {"pitch of 7", "8 columns"});
    refuses(head("in A: f32[8] pitch 8"), "TM0216", 1, 23, {"`A`"});
    refuses(head("in A: f32[4, 8] pitch 8 pitch 8"), "TM0205", 1, 34, {"`pitch`", "first here"});
}

TEST_CASE("an alignment is a power of two from the element's size to 256 bytes") {
    CHECK(tensor("in A: f32[4, 8] align 4").align == 4);
    CHECK(tensor("in A: u8[4, 8] align 1").align == 1);
    CHECK(tensor("in A: f32[4, 8] align 256").align == 256);
    refuses(head("in A: f32[4, 8] align 2"), "TM0217", 1, 32, {"2", "f32", "4 to 256"});
    refuses(head("in A: f32[4, 8] align 12"), "TM0217", 1, 32);
    refuses(head("in A: f32[4, 8] align 512"), "TM0217", 1, 32);
    refuses(head("in A: f32[4, 8] align 0"), "TM0217", 1, 32);
    refuses(head("in A: f32[4, 8] align -32"), "TM0217", 1, 32);
}

TEST_CASE("a u32 parameter gives the first extent or the pitch, and other run-time sizes are wrong") {
    const Checked sized = accepts(head("in A: f32[n, 8] pitch p, n: u32, out V: u8[p], p: u32"));
    const auto& parameters = sized.kernel().parameters;
    CHECK(std::get<Tensor>(parameters[0]).extent_from == std::optional<std::size_t>(1));
    CHECK(std::get<Tensor>(parameters[0]).pitch_from == std::optional<std::size_t>(3));
    CHECK(std::get<Tensor>(parameters[0]).extents == std::vector<std::int64_t>{0, 8});
    CHECK(std::get<Tensor>(parameters[2]).extent_from == std::optional<std::size_t>(3));
    refuses(head("in A: f32[n, 8], n: s32"), "TM0223", 1, 20, {"`n`", "it is s32"});
    refuses(head("in A: f32[4, 8] pitch p, p: f32"), "TM0223", 1, 32, {"`p`", "it is f32"});
    refuses(head("in A: f32[n] pitch n, n: u32"), "TM0216", 1, 23);
    refuses(head("in A: f32[4, n], n: u32"), "TM0211", 1, 23, {"`n`"});
    refuses(head("in A: f32[n * 2, 8], n: u32"), "TM0211", 1, 20);
    refuses(head("in A: f32[4, 8], in B: f32[A, 8]"), "TM0203", 1, 37, {"`A` is a tensor parameter"});
}

TEST_CASE("a grid has one to three extents within the machine's limits") {
    CHECK(accepts(head("", "grid(7)")).kernel().grid == std::array<std::int64_t, 3>{7, 1, 1});
    CHECK(accepts(head("", "grid(2147483647, 65535, 65535)")).kernel().grid ==
          std::array<std::int64_t, 3>{2147483647, 65535, 65535});
    refuses(head("", "grid(2147483648)"), "TM0219", 1, 17, {"2147483648 along x", "1 to 2147483647"});
    refuses(head("", "grid(1, 65536)"), "TM0219", 1, 20, {"65536 along y"});
    refuses(head("", "grid(1, 1, 65536)"), "TM0219", 1, 23, {"along z"});
    refuses(head("", "grid(0)"), "TM0219", 1, 17);
    refuses(head("", "grid(1, 1, 1, 1)"), "TM0218", 1, 12, {"4"});
    refuses(head("", "grid(1) grid(1)"), "TM0205", 1, 20, {"`grid`"});
}

TEST_CASE("a kernel has 1 to 8 warpgroups, in clauses of any order") {
    CHECK(accepts(head("")).kernel().warpgroups == 1);
    CHECK(accepts(head("", "warpgroups(8) grid(2)")).kernel().threads() == 1024);
    CHECK(accepts(head("", "cta_group 1 grid(2) warpgroups(2)")).kernel().warpgroups == 2);
    refuses(head("", "warpgroups(9)"), "TM0220", 1, 23, {"9 warpgroups", "1 to 8", "1024"});
    refuses(head("", "warpgroups(0)"), "TM0220", 1, 23);
    refuses(head("", "cta_group 2"), "TM0221", 1, 12, {"`cta_group 2` is reserved"});
}

TEST_CASE("the target is the command line's, else the file's, else sm_100a") {
    CHECK(accepts("").program().target == "sm_100a");
    CHECK(accepts("target sm_103f;").program().target == "sm_103f");
    Options options;
    options.target = "sm_110a";
    CHECK(accepts("target sm_103f;", options).program().target == "sm_110a");
    options.target = "sm_90a";
    const Checked found = checked("target sm_103f;", options);
    CHECK(found.report().rfind("TM0606", 0) == 0);
    CHECK(found.result.diagnostics.list.at(0).span == base::no_place);
}

TEST_CASE("a target without tensor memory is refused with those that have it") {
    refuses("target sm_100;", "TM0606", 1, 8, {"`sm_100`", "did you mean `sm_100a`?", "sm_110f"});
    refuses("target sm_120a;", "TM0606", 1, 8, {"sm_100a, sm_100f, sm_103a, sm_103f, sm_110a, sm_110f"});
    refuses("target sm_90;", "TM0606", 1, 8,
            {"--tmem=software keeps tensor memory in shared or global memory"});
    refuses("target sm_999;", "TM0605", 1, 8, {"`sm_999` is not a target", "sm_100a"});
    refuses("target sm_100a;\ntarget sm_100a;", "TM0205", 2, 1, {"`target`", "1: first here"});
}

TEST_CASE("with tensor memory in software every target from sm_75 on will do") {
    Options options;
    options.tensor_memory = TensorMemoryMode::software;
    for (const char* target : {"sm_75", "sm_90", "sm_100a", "sm_121f"}) {
        const Checked found = checked(fmt::format("target {};", target), options);
        CHECK(found.report() == "");
        CHECK(found.result.software_tmem);
    }
    CHECK(checked("target sm_70;", options).report().rfind("TM0605", 0) == 0);
    options.tensor_memory = TensorMemoryMode::automatic;
    CHECK(checked("target sm_90;", options).result.software_tmem);
    CHECK_FALSE(checked("target sm_103a;", options).result.software_tmem);
    CHECK(checked("target sm_90;", options).report() == "");
}

TEST_CASE("only the kernels asked for are checked") {
    Options options;
    options.only = {"good"};
    const Checked found =
        checked("kernel bad() { let a = b; }\nkernel good() { }\nfunction f() { }\n", options);
    CHECK(found.report() == "");
    REQUIRE(found.program().kernels.size() == 1);
    CHECK(found.kernel().name == "good");
}

TEST_CASE("a call of nothing is an unknown name") {
    refuses("function store() { }\nkernel k() { stroe(); }", "TM0201", 2, 14, {"did you mean `store`?"});
}

TEST_CASE("tests are kept for later") {
    CHECK(accepts("kernel k() { }\ntest \"a\" { run k; }\ntest \"b\" { run k; }").program().tests.size() ==
          2);
}

TEST_SUITE_END();

} // namespace tmemc::sema
