// The emulator against recordings of a GPU: every instruction of tests/data/device_*.txt is run on the same
// inputs, and all results must have the same hash; so are the programs that it names. Of approximations,
// whose last bits PTX leaves open, the recorded results must be near: within 2^-10 of one another or of one.
// A recording is made by device_record.cpp; without one the test is skipped.
#include "device_cases.hpp"
#include "program.hpp"
#include "skip.hpp"

#include <bit>
#include <cmath>
#include <filesystem>
#include <sstream>

using namespace tmemc;

namespace {

std::vector<std::filesystem::path> recordings() {
    std::vector<std::filesystem::path> found;
    for (const auto& file : std::filesystem::directory_iterator("data")) {
        if (file.path().filename().string().starts_with("device_")) found.push_back(file.path());
    }
    return found;
}

/// The case of a line's first field, which is an instruction or names a program.
device::Case case_of(const std::string& name) {
    static const device::Programs programs = device::programs();
    for (const device::Program& each : programs)
        if (each.name == name) return {name, each.text, each.functions};
    return {name, {}, {}};
}

std::vector<std::uint64_t> emulated(const device::Case& of, const std::string& target) {
    emulator::Program program(device::kernel(of, "9.0", target));
    std::vector<std::uint64_t> out(device::threads * 2);
    const emulator::Outcome outcome = program.run(
        {{device::block, 1, 1}, {device::threads / device::block, 1, 1}}, device::inputs(of), out);
    CHECK_MESSAGE(!outcome.fault, of.instruction, ": ", emulator::words(outcome));
    return out;
}

double value_of(const device::Case& of, std::uint64_t bits) {
    return of.type() == "f64" ? std::bit_cast<double>(bits)
                              : std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}
/// What the pages leave open, and the recorded inputs ask all the same: fns with a base above 31, and which
/// operand of an .oob fma may be the OOB NaN.
bool open(const device::Case& of) {
    return of.name() == "fns.b32" || of.name().find(".oob") != std::string::npos;
}
/// The sine and cosine of what lies beyond a turn have no stated error; a GPU takes large ones for 0.
bool beyond(const device::Case& of, std::uint64_t operand) {
    const bool turns = of.name().rfind("sin.", 0) == 0 || of.name().rfind("cos.", 0) == 0;
    return turns && !(std::fabs(std::bit_cast<float>(static_cast<std::uint32_t>(operand))) < 6.2f);
}
bool near(const device::Case& of, std::uint64_t here, std::uint64_t there) {
    if (of.type() != "f32" && of.type() != "f64") return true; // f16 and bf16: judged by their oracles
    const double a = value_of(of, here), b = value_of(of, there);
    return a == b || (std::isnan(a) && std::isnan(b)) ||
           std::fabs(a - b) <= 0x1p-10 * std::fmax(1, std::fabs(b));
}

} // namespace

TEST_CASE("the emulator computes what a GPU was recorded to compute, bit for bit") {
    if (recordings().empty()) return tests::skipped("device replay", "no recording");
    std::size_t programs = 0, exact = 0, approximate = 0, left_open = 0;
    for (const auto& path : recordings()) {
        const std::string target = path.stem().string().substr(7);
        std::ifstream in(path);
        for (std::string line; std::getline(in, line);) {
            if (line.empty() || line[0] == '#') continue;
            const std::size_t first = line.find(" | ");
            const device::Case of = case_of(line.substr(0, first));
            const std::vector<std::uint64_t> results = emulated(of, target);
            if (open(of)) {
                ++left_open;
                continue;
            }
            ++(!of.program.empty() ? programs : of.approximate() ? approximate : exact);
            if (!of.approximate()) {
                CHECK_MESSAGE(device::line(of, results) == line, of.instruction);
                continue;
            }
            std::istringstream recorded(line.substr(line.rfind('|') + 1));
            std::uint64_t there = 0;
            const std::vector<std::uint64_t> given = device::inputs(of);
            for (std::size_t t = 0; recorded >> std::hex >> there; ++t)
                if (!beyond(of, given[4 * t]))
                    CHECK_MESSAGE(near(of, results[2 * t], there), of.instruction, " thread ", t, ": ",
                                  results[2 * t], " and ", there);
        }
    }
    MESSAGE(exact << " instructions and " << programs << " programs bit for bit, " << approximate
                  << " approximations; " << left_open << " not compared");
    CHECK(left_open < 16);
    CHECK(exact > 300);
    CHECK(programs > 500);
}
