// Each run-time fault by its smallest program, and its healthy twin that raises nothing: the golden files
// tests/golden/emulator/fail_NAME.ptx and NAME.ptx, where NAME is the row of diagnostics.def. The threads and
// options are those of the file's RUN line.
#include "program.hpp"

#include <fstream>
#include <map>
#include <sstream>

using namespace tmemc::emulator;
namespace base = tmemc::base;

namespace {

std::string file_text(const std::string& name) {
    std::ifstream stream("golden/emulator/" + name + ".ptx");
    REQUIRE_MESSAGE(stream.good(), "cannot read golden/emulator/", name, ".ptx");
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

// The RUN line as far as these files use it.
struct Command {
    Dimensions block;
    Limits limits;
};
Command command(const std::string& text) {
    std::istringstream line(text.substr(0, text.find('\n')));
    Command result;
    for (std::string word; line >> word;) {
        if (word == "--block") line >> result.block.x;
        if (word == "--max-steps") line >> result.limits.max_steps;
        if (word == "--strict-lanes") result.limits.strict_lanes = true;
        double seconds = 0;
        if (word == "--timeout" && line >> seconds) {
            result.limits.timeout = std::chrono::milliseconds(static_cast<int>(seconds * 1000));
        }
    }
    return result;
}

struct Said {
    std::string code, instruction, message;
    std::uint32_t line = 0;
    std::string line_text; // of the file
    Outcome outcome;
};

// Loads and runs kernel `k`; a parameter is a buffer of 128 zeroed bytes.
Said run_file(const std::string& name) {
    const std::string text = file_text(name);
    const base::Source source(name, text);
    const LoadResult loaded = load(source);
    Said said;
    if (loaded.executable == nullptr) {
        REQUIRE(loaded.diagnostics.list.size() == 1);
        const auto& diagnostic = loaded.diagnostics.list.front();
        said.code = diagnostic.kind->code;
        said.line_text = source.line(source.position(diagnostic.span.begin).line);
        return said;
    }
    GlobalMemory memory;
    const Command how = command(text);
    Launch launch{"k", {}, how.block, std::vector<std::byte>(loaded.kernels.at(0).parameter_bytes)};
    for (const auto& parameter : loaded.kernels.at(0).parameters) {
        const std::uint64_t address = memory.allocate(128);
        memory.write(address, std::vector<std::byte>(128));
        std::memcpy(launch.parameters.data() + parameter.offset, &address, sizeof address);
    }
    said.outcome = run(*loaded.executable, memory, launch, how.limits);
    if (const auto& fault = said.outcome.fault) {
        said = {std::string(fault->kind->code),
                fault->instruction,
                fault->message,
                fault->line,
                {},
                said.outcome};
        said.line_text = source.line(fault->line);
    }
    return said;
}

/// The rows of the emulator: TM0700 to TM0709 and TM0730 on.
std::vector<const base::Kind*> emulator_kinds() {
    std::vector<const base::Kind*> kinds;
    for (const base::Kind* kind : base::all_kinds()) {
        const bool emulators = (kind->code >= "TM0700" && kind->code <= "TM0709") ||
                               (kind->code >= "TM0730" && kind->code <= "TM0769") ||
                               (kind->code >= "TM0776" && kind->code <= "TM0799");
        if (emulators) kinds.push_back(kind);
    }
    return kinds;
}

} // namespace

TEST_CASE("every fault is raised by its smallest program and not by the healthy twin") {
    const auto kinds = emulator_kinds();
    for (const base::Kind* kind : kinds) {
        INFO(kind->code, " ", kind->name);
        const Said bad = run_file("fail_" + std::string(kind->name));
        CHECK(bad.code == kind->code);
        const Said good = run_file(std::string(kind->name));
        CHECK_MESSAGE(good.code.empty(), good.code, " ", good.message);
        CHECK(file_text("fail_" + std::string(kind->name)) != file_text(std::string(kind->name)));
        // The instruction stands on the line that the fault names.
        if (!bad.instruction.empty()) CHECK(bad.line_text.find(bad.instruction) != std::string::npos);
    }
    MESSAGE(kinds.size(), " kinds");
    CHECK(kinds.size() >= 31);
}

TEST_CASE("a fault names warp, thread, lane and column where it has them") {
    std::vector<std::uint32_t> in(64), out(64);
    Program cells(tensor_kernel(
        32, "setp.lt.u32 %p1, %tid, 32; @!%p1 tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%t+7];"));
    Outcome outcome = cells.run({{64, 1, 1}}, in, out);
    REQUIRE(outcome.fault.has_value());
    CHECK(outcome.fault->warp == 1);
    CHECK(outcome.fault->lane == 32);
    CHECK(outcome.fault->column == 7);
    CHECK(outcome.fault->instruction == "@!%p1 tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%t+7]");

    Program registers(kernel(
        "mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 37; @%p1 mov.u32 %r2, 1; add.u32 %r3, %r2, %r1; ret;"));
    outcome = registers.run({{64, 1, 1}, {3, 1, 1}}, in, out);
    CHECK(words(outcome) == "TM0704 `%r2` is read and was never written");
    CHECK(outcome.fault->warp == 1);
    CHECK(outcome.fault->thread == 5);
    CHECK(outcome.fault->cta == Dimensions{0, 0, 0});
}

TEST_CASE("with --uninit=zero what was never written reads as zero") {
    std::vector<std::uint32_t> in(32), out(32 * 3, 9);
    const std::string body =
        ".shared .b32 never; ld.shared.u32 %r3, [never];\n"
        "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%t]; tcgen05.wait::ld.sync.aligned;\n"
        "mul.wide.u32 %d1, %tid, 4; add.u64 %out, %out, %d1; st.global.u32 [%out], %r1;\n"
        "st.global.u32 [%out+128], %r2; st.global.u32 [%out+256], %r3;";
    Program program(tensor_kernel(32, body));
    CHECK(code(program.run({}, in, out)) == "TM0705");
    const Outcome outcome = program.run({}, in, out, {.uninitialised_is_fault = false});
    CHECK_MESSAGE(!outcome.fault, words(outcome));
    CHECK(out == std::vector<std::uint32_t>(32 * 3, 0));
    // A second allocation of columns that an earlier one has filled is unwritten again.
    Program again(kernel(
        ".shared .b32 slot; .reg .b32 %t; mov.u32 %r1, 5; mov.u32 %r9, 0;\nTURN:\n"
        "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 32; ld.shared.b32 %t, [slot];\n"
        "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%t]; tcgen05.wait::ld.sync.aligned;\n"
        "tcgen05.st.sync.aligned.32x32b.x1.b32 [%t], {%r1}; tcgen05.wait::st.sync.aligned;\n"
        "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %t, 32; add.u32 %r9, %r9, 1;\n"
        "setp.lt.u32 %p1, %r9, 2; @%p1 bra TURN; st.global.u32 [%out], %r2; ret;"));
    std::vector<std::uint32_t> one(1, 9);
    CHECK(!again.run({}, in, one, {.uninitialised_is_fault = false}).fault);
    CHECK(one[0] == 0);
}

TEST_CASE("without the faults a missing wait shows as old data") {
    std::vector<std::uint32_t> in(32), out(96);
    const std::string body =
        "mov.u32 %r1, 1; tcgen05.st.sync.aligned.32x32b.x1.b32 [%t], {%r1}; tcgen05.wait::st.sync.aligned;\n"
        "mov.u32 %r1, 2; tcgen05.st.sync.aligned.32x32b.x1.b32 [%t], {%r1}; mov.u32 %r1, 3;\n" // a copy of
                                                                                               // %r1 is on
                                                                                               // its way
        "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%t]; tcgen05.wait::ld.sync.aligned;\n"
        "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%t]; tcgen05.wait::st.sync.aligned;\n"
        "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r4}, [%t]; add.u32 %r5, %r4, 0;\n" // a read delivers,
                                                                                    // without a wait
        "mul.wide.u32 %d1, %tid, 4; add.u64 %out, %out, %d1; st.global.u32 [%out], %r2;\n"
        "st.global.u32 [%out+128], %r3; st.global.u32 [%out+256], %r5; tcgen05.wait::ld.sync.aligned;";
    Program program(tensor_kernel(32, body));
    CHECK(code(program.run({}, in, out)) == "TM0745");
    const Outcome outcome = program.run({}, in, out, {.hazards_are_faults = false});
    REQUIRE_MESSAGE(!outcome.fault, words(outcome));
    std::vector<std::uint32_t> want;
    for (std::uint32_t value : {1u, 2u, 2u}) want.insert(want.end(), 32, value);
    CHECK(out == want);
}

TEST_CASE("hazards follow cells: other columns, the other 16 lanes and other warps' lanes do not conflict") {
    const std::string store =
        "mov.u32 %r1, 1; mov.u32 %r2, 2; tcgen05.st.sync.aligned.16x64b.x2.b32 [%t], {%r1, %r2};\n";
    const std::string drain = " tcgen05.wait::st.sync.aligned; tcgen05.wait::ld.sync.aligned;";
    const std::map<std::string, std::string> second{
        {"tcgen05.st.sync.aligned.16x64b.x2.b32 [%t+1048576], {%r1, %r2};", ""},
        {"tcgen05.st.sync.aligned.16x64b.x2.b32 [%t+4], {%r1, %r2};", ""},
        {"tcgen05.st.sync.aligned.16x64b.x2.b32 [%t+3], {%r1, %r2};", "TM0746"},
        {"tcgen05.st.sync.aligned.32x32b.x1.b32 [%t+3], {%r1};", "TM0746"},
        {"tcgen05.st.sync.aligned.16x32bx2.x1.b32 [%t+4], 1048576, {%r1};", ""},
        {"tcgen05.st.sync.aligned.16x32bx2.x1.b32 [%t+4], -1, {%r1};", "TM0746"},
        {"tcgen05.ld.sync.aligned.16x64b.x1.b32 {%r3}, [%t+2];", "TM0745"}};
    std::vector<std::uint32_t> in(1), out(1);
    for (const auto& [instruction, fault] : second) {
        const std::string named = instruction;
        INFO(named);
        Program program(tensor_kernel(32, store + instruction + drain));
        CHECK(code(program.run({{128, 1, 1}}, in, out)) == fault);
    }
    // Warps 0 and 4 share lanes: what one has outstanding the other must not store over.
    Program shared(tensor_kernel(32, store + "bar.sync 0;" + drain));
    CHECK(code(shared.run({{128, 1, 1}}, in, out)).empty());
    CHECK(code(shared.run({{160, 1, 1}}, in, out)) == "TM0746");
}

TEST_CASE("an allocation waits until another warp makes room") {
    // Warp 1 asks for 512 columns while warp 0 holds them; warp 0 gives them back and warp 1 goes on.
    const std::string body =
        ".shared .b32 slot[2]; mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32; @%p1 bra FIRST;\n"
        "bar.sync 0; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot+4], 512;\n"
        "ld.shared.b32 %r2, [slot+4]; bra FREE;\n"
        "FIRST: tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 512; bar.sync 0;\n"
        "ld.shared.b32 %r2, [slot];\n"
        "FREE: tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 512; ret;";
    std::vector<std::uint32_t> in(1), out(1);
    Program program(kernel(body));
    const Outcome outcome = program.run({{64, 1, 1}}, in, out);
    CHECK_MESSAGE(!outcome.fault, words(outcome));
}
