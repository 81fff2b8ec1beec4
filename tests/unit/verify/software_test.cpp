// Tensor memory in software is verified like that of hardware: what the compiler emits passes, for every
// sample and for targets that lack more and more, and every text that is spoilt, one place at a time, is
// refused. Each class is counted and printed, and one without a member fails.
#include "compiled.hpp"
#include "spoilt_lines.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <functional>
#include <map>
#include <regex>

using namespace tmemc;
using namespace tmemc::test;

namespace {

Compilation compiled(const base::Source& source, const char* target) {
    CompileOptions options;
    options.check.target = target;
    options.check.tensor_memory = sema::TensorMemoryMode::software;
    return compile(source, options);
}

std::vector<Sample> in_software() {
    std::vector<Sample> list = samples();
    list.push_back({"slices of CTAs", R"(kernel k(in A: f32[512, 128], out B: f32[512, 128]) grid(2, 2) {
  tmem T: f32[128, 128];
  frag X: f32[128, 32];
  frag Y: f32[128, 32] atom 16x256b;
  for c in 0..4 { copy X <- A[cta.x*128 + cta.y*256 +: 128, c*32 +: 32]; copy_async T[:, c*32 +: 32] <- X; wait st; }
  for c in 0..4 { copy_async Y <- T[:, c*32 +: 32]; wait ld; copy B[cta.x*128 + cta.y*256 +: 128, c*32 +: 32] <- Y; }
})"});
    return list;
}

struct Class {
    const char* name;
    const char *pattern, *by; // of a line; by "": the line is dropped
};
constexpr Class classes[] = {
    {"access: drop", "^ +(ld|st)\\..*\\[%cell.*", ""},
    {"access: a column on", "\\[(%cell[$0-9]*)(\\+\\d+)?\\]", "[$1+262656]"},
    {"access: the next word", "\\[(%cell[$0-9]*)\\]", "[$1+4]"},
    {"access: another turn", "\\[%cell\\$2", "[%cell"},
    {"access: another register", "^( +st\\.\\w+\\.b32 \\[%cell.*, %\\w+)_0;", "$1_1;"},
    {"access: another register, of a load", "^( +ld\\.\\w+\\.b32 %\\w+)_0(, \\[%cell.*)$", "$1_1$2"},
    {"access: as never written", "ld\\.global\\.b32 (.*%cell)", "ld.global.nc.b32 $1"},
    {"pack: halves exchanged", "(prmt.b32 %\\w+), (%\\w+), (%part_\\d+), ", "$1, $3, $2, "},
    {"pack: drop", "^ +prmt.b32 (%\\w+), \\1, .*", ""},
    {"wait: drop", "^ +bar\\.warp\\.sync.*", ""},
    {"wait: of some lanes", "bar\\.warp\\.sync -1", "bar.warp.sync 65535"},
    {"image: another turn", "xor\\.b32 (%part_\\d+, %part_\\d+), 64;", "xor.b32 $1, 32;"},
    {"image: words twice as far", "shl\\.b32 (%part_\\d+, %part_\\d+), 2;", "shl.b32 $1, 3;"},
    {"image: columns half as far", "(mad\\.lo\\.u32 %part_\\d+, %part_\\d+), 512, ", "$1, 256, "},
    {"slices: half as far", "mul\\.wide\\.u32 (%\\S+ %part_\\d+), 0x10000;", "mul.wide.u32 $1, 0x8000;"},
    {"slices: of another axis", "%ctaid\\.y", "%ctaid.z"},
    {"sync: drop", "^ +bar\\.sync.*", ""},
};

} // namespace

TEST_CASE("what is emitted for tensor memory in software does what the program says") {
    for (const char* target : {"sm_75", "sm_80", "sm_90", "sm_100a", "sm_120"})
        for (const Sample& sample : in_software()) {
            INFO(sample.name << ", " << target);
            const base::Source source(sample.name, sample.text);
            const Compilation made = compiled(source, target);
            REQUIRE_MESSAGE(made.ok(), explain(made, source));
            const auto mismatch = verify_text(made).mismatch;
            CHECK_MESSAGE(!mismatch, verify::to_string(mismatch.value_or(verify::Mismatch{}), source));
            CHECK_FALSE(has(made.ptx.text, "tcgen05"));
        }
}

TEST_CASE("every corruption of tensor memory in software is found") {
    std::map<std::string, int> counts;
    for (const Sample& sample : in_software()) {
        const base::Source source(sample.name, sample.text);
        Compilation made = compiled(source, "sm_90");
        REQUIRE(made.ok());
        if (made.space.kernels.front().columns == 0) continue;
        const Lines lines = split(made.ptx.text);
        for (const Class& each : classes) {
            const std::regex pattern(each.pattern);
            int& count = counts[each.name];
            for (std::size_t i = 0; i < lines.size() && count < 400; ++i) {
                if (has(lines[i], "// ") || !std::regex_search(lines[i], pattern)) continue;
                Lines spoilt = lines;
                spoilt[i] = *each.by == '\0' ? "// dropped" : std::regex_replace(lines[i], pattern, each.by);
                if (spoilt[i] == lines[i]) continue;
                ++count;
                made.ptx.text = join(spoilt);
                INFO(sample.name << ", " << each.name << ", line " << i + 1 << ": " << lines[i] << " -> "
                                 << spoilt[i]);
                CHECK(verify_text(made).mismatch.has_value());
            }
        }
    }
    for (const auto& [name, count] : counts) {
        std::printf("%5d  %s\n", count, name.c_str());
        const std::string empty = name;
        CHECK_MESSAGE(counts.at(empty) > 0, empty << " has no member");
    }
}
