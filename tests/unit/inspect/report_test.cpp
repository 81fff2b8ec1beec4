// Reports by hand: what is counted, told and compared, and the way through JSON and back.
#include "inspect/report.hpp"
#include "inspect/sass_listing.hpp"

#include <doctest/doctest.h>

using namespace tmemc;
using namespace tmemc::inspect;

namespace {

Report two_kernels() {
    KernelReport known{"a",
                       40,
                       8,
                       12,
                       4,
                       1,
                       64,
                       200,
                       std::map<std::string, int>{{"32x32b.x8", 1}, {"16x64b.x2", 3}},
                       std::map<std::string, int>{},
                       2,
                       0};
    KernelReport unknown;
    unknown.name = "b";
    return {"sm_100a", {known, unknown}};
}

} // namespace

TEST_CASE("messages are counted by shape and num, a 16x32bx2 for its two halves") {
    toolchain::Cubin cubin;
    cubin.target = "sm_100a";
    toolchain::CubinKernel entry, function;
    entry.name = "k\x01";
    entry.entry = true;
    entry.code.emplace();
    for (const char* shape : {"16x32bx2", "16x32bx2", "16x64b"})
        entry.code->moves.push_back({true, shape, 4, false, 0});
    function.name = "f";
    cubin.kernels = {function, entry};
    const Report made = report(cubin);
    REQUIRE(made.kernels.size() == 1); // the function is not launched
    CHECK(made.kernels[0].name == "k?");
    CHECK(made.kernels[0].stores == std::map<std::string, int>{{"16x32bx2.x4", 1}, {"16x64b.x4", 1}});
    CHECK(made.kernels[0].loads->empty());
    cubin.kernels = {function};
    REQUIRE(report(cubin).kernels.size() == 1); // there is nothing else
    CHECK(!report(cubin).kernels[0].instructions);
}

TEST_CASE("text") {
    CHECK(report_text(two_kernels()) == R"(a (sm_100a)
  registers      40
  spills         8 bytes stored, 12 bytes loaded
  shared memory  4 bytes
  barriers       1
  tensor memory  64 columns
  messages       ld 3 x 16x64b.x2, ld 32x32b.x8
  waits          2 ld, 0 st
  instructions   200

b (sm_100a)
  registers      not known
  spills         not known
  shared memory  not known
  barriers       not known
  tensor memory  not known
  messages       not known
  waits          not known ld, not known st
  instructions   not known
)");
}

TEST_CASE("JSON and back") {
    const ParsedReport back = read_report(report_json(two_kernels()));
    CHECK(back.error.empty());
    CHECK(back.report.target == "sm_100a");
    REQUIRE(back.report.kernels.size() == 2);
    CHECK(back.report == two_kernels());
    for (const char* wrong :
         {"", "7", "{}", R"({"schema": "1", "target": "x", "kernels": []})",
          R"({"schema": 1, "target": 3, "kernels": []})",
          R"({"schema": 1, "target": "x", "kernels": [{"name": "k", "registers": -1}]})",
          R"({"schema": 1, "target": "x", "kernels": [{"name": "k", "registers": 4294967296}]})",
          R"({"schema": 1, "target": "x", "kernels": [{"name": "k", "messages": []}]})",
          R"({"schema": 1, "target": "x", "kernels": [{"name": "k", "messages": {"ld": 4}}]})",
          R"({"schema": 1, "target": "x", "kernels": [{"name": "k", "waits": {"ld": 1.5}}]})"}) {
        CAPTURE(wrong);
        CHECK(!read_report(wrong).error.empty());
    }
}

TEST_CASE("comparison") {
    const Report earlier = two_kernels();
    CHECK(compare(earlier, earlier) == Comparison{"as in the baseline\n", false});
    Report now = earlier;
    now.target = "sm_103a";
    now.kernels[0].registers = 41;
    now.kernels[0].spill_loads = 0;
    now.kernels[0].loads = std::map<std::string, int>{{"32x32b.x32", 1}};
    now.kernels[1].name = "c";
    CHECK(compare(now, earlier) ==
          Comparison{"this is for sm_103a, the baseline for sm_100a\n"
                     "a: worse: registers 41, 40 before\n"
                     "a: better: spill load bytes 0, 12 before\n"
                     "a: better: ld messages 1, 4 before\n"
                     "a: other ld messages: 32x32b.x32; 3 x 16x64b.x2, 32x32b.x8 before\n"
                     "c: is not in the baseline\n"
                     "b: is in the baseline and no more\n",
                     true});
    now = earlier;
    now.kernels[0].instructions.reset(); // not known is neither better nor worse
    CHECK(!compare(now, earlier).worse);
    now = earlier; // as many, of another length
    now.kernels[0].loads = std::map<std::string, int>{{"16x64b.x4", 3}, {"32x32b.x8", 1}};
    CHECK(compare(now, earlier) == Comparison{"a: other ld messages: 3 x 16x64b.x4, 32x32b.x8; "
                                              "3 x 16x64b.x2, 32x32b.x8 before\n",
                                              false});
}

TEST_CASE("a listing by hand") {
    const std::vector<std::string> ptx{".version 8.6",
                                       ".file 1 \"k.tmx\", 1, 1",
                                       ".visible .entry kk()",
                                       "{",
                                       "}",
                                       ".visible .entry k(",
                                       ".param .u64 A",
                                       ")",
                                       "{",
                                       ".loc 1 3 1",
                                       ".reg .b32 %r<4>;",
                                       "mov.u32 %r0, %tid.x;",
                                       "// k.tmx:4: x",
                                       ".loc 1 4 3",
                                       "st.v2.b32 [%a], {%r0, %r1};",
                                       "ret;",
                                       "}"};
    const char* disassembly = R"(
.text.k:
	//## File ".nv_debug_ptx_txt", line 9
        /*0000*/                   LDC R1, c[0x0][0x37c] ;
	//## File ".nv_debug_ptx_txt", line 15
        /*0010*/                   STG R0 ;
	//## File ".nv_debug_ptx_txt", line 12
        /*0020*/                   S2R R0, SR_TID.X ;
	//## File ".nv_debug_ptx_txt", line 16
.L_x_1:
        /*0030*/                   EXIT ;
	//## File ".nv_debug_ptx_txt", line 99
        /*0040*/                   BRA `(.L_x_1) ;
        /*0050*/                   NOP ;
)";
    const SourceLine source = [](const std::string& file, std::uint32_t line) -> std::optional<std::string> {
        if (file != "k.tmx" || line != 4) return std::nullopt;
        return "  copy B <- A;";
    };
    CHECK(sass_listing(disassembly, ptx, {"k", "absent"}, source) == R"(k:

k.tmx:3:
      0000  LDC R1, c[0x0][0x37c]
  mov.u32 %r0, %tid.x;
      0020  S2R R0, SR_TID.X

k.tmx:4: copy B <- A;
  st.v2.b32 [%a], {%r0, %r1};
      0010  STG R0
  ret;
      .L_x_1:
      0030  EXIT

of no line of the PTX:
      0040  BRA `(.L_x_1)
)");
    // The same without .loc, as ptxas keeps the text, and with the places that nvdisasm -g gives.
    std::vector<std::string> kept = ptx;
    for (std::string& line : kept)
        if (line.substr(0, 4) == ".loc" || line.substr(0, 2) == "//") line.clear();
    std::string with_places = disassembly;
    const auto put_before = [&](const char* what, const std::string& place) {
        with_places.insert(with_places.find(what), place);
    };
    put_before("\t//## File \".nv_debug_ptx_txt\", line 9", "\t//## File \"k.tmx\", line 3\n");
    put_before("\t//## File \".nv_debug_ptx_txt\", line 15", "\t//## File \"k.tmx\", line 4\n");
    put_before("\t//## File \".nv_debug_ptx_txt\", line 12",
               "\t//## File \"k.tmx\", line 3 inlined at \"x\", line 9\n");
    put_before("\t//## File \".nv_debug_ptx_txt\", line 16", "\t//## File \"k.tmx\", line 4\n");
    CHECK(sass_listing(with_places, kept, {"k"}, source) == sass_listing(disassembly, ptx, {"k"}, source));
    CHECK(sass_listing(disassembly, {}, {"k"}, source).substr(0, 42) ==
          "k: the file has no line information\n      ");
}
