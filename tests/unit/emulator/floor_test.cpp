// The tightest hand-written kernels known (tests/data/floor): round trips reproduce random data bit for bit,
// and the epilogues scale, add, and round to bf16 what a loop of stores put into tensor memory.
#include "program.hpp"

#include <bit>
#include <cmath>
#include <fstream>
#include <sstream>

using namespace tmemc::emulator;

namespace {

std::string floor_text(const std::string& file) {
    std::ifstream stream("data/floor/" + file);
    REQUIRE_MESSAGE(stream.good(), "cannot read data/floor/", file);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

std::vector<std::uint32_t> random_words(std::size_t count) {
    std::mt19937 random(11);
    std::vector<std::uint32_t> words(count);
    for (auto& word : words) word = static_cast<std::uint32_t>(random());
    return words;
}

void replace(std::string& text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    text.replace(at, what.size(), by);
}

} // namespace

TEST_CASE("the round trips of the floor reproduce random data") {
    const std::pair<const char*, int> kernels[] = {
        {"rt_x4_v8.ptx", 4}, {"rt_x32_v8.ptx", 32}, {"rt_x128_v8.ptx", 128}, {"fr_256b_m128_w32.ptx", 32}};
    for (const auto& kernel : kernels) {
        const std::string file = kernel.first;
        const int columns = kernel.second;
        INFO(file);
        Program program(floor_text(file));
        const auto in = random_words(static_cast<std::size_t>(128 * columns));
        std::vector<std::uint32_t> out(in.size());
        const Outcome outcome = program.run({{128, 1, 1}}, in, out);
        REQUIRE_MESSAGE(!outcome.fault, words(outcome));
        CHECK(out == in);
        CHECK(code(program.run({{256, 1, 1}}, in, out)) == "TM0702"); // .reqntid 128
    }
}

TEST_CASE("the epilogues of the floor scale, add and round a 128x256 accumulator to bf16") {
    for (const std::string file : {"ep_bf16_roll_v8_f2.ptx", "ep_bf16_unroll_v8_f2.ptx"}) {
        INFO(file);
        // The accumulator is filled first, from column * 0.37 - thread, where the original finds a matrix
        // product.
        std::string text = floor_text(file);
        replace(text, ".param .f32 scale", ".param .u64 scales");
        replace(text, ", .param .f32 bias", "");
        replace(text, "ld.param.f32 r3,[scale]; ld.param.f32 r4,[bias];",
                "ld.param.b64 a0,[scales]; ld.global.v2.b32 {r3,r4},[a0];\n"
                ".reg .b32 fill<8>; .reg .pred more;\n"
                "and.b32 fill1,r0,96; shl.b32 fill1,fill1,16; add.u32 fill1,r1,fill1; mov.u32 fill2,0;\n"
                "ld.global.b32 fill3,[a0+8]; mul.wide.u32 a2,r0,4; add.u64 a2,a0,a2; ld.global.f32 "
                "fill4,[a2+12];\n"
                "FILL: tcgen05.st.sync.aligned.32x32b.x1.b32 [fill1],{fill4}; add.f32 fill4,fill4,fill3;\n"
                "add.u32 fill1,fill1,1; add.u32 fill2,fill2,1; setp.lt.u32 more,fill2,256; @more bra FILL;\n"
                "tcgen05.wait::st.sync.aligned;");
        replace(text, "k(.param .u64 out, .param .u64 scales)", "k(.param .u64 scales, .param .u64 out)");
        Program program(text);
        std::vector<float> in{1.0f / 3, -7.5f, 0.37f};
        for (int t = 0; t < 128; ++t) in.push_back(-static_cast<float>(t));
        std::vector<std::uint16_t> out(std::size_t{128} * 256);
        const Outcome outcome = program.run({{128, 1, 1}}, in, out);
        REQUIRE_MESSAGE(!outcome.fault, words(outcome));
        std::size_t wrong = 0;
        for (std::size_t t = 0; t < 128; ++t) {
            float value = in[3 + t];
            for (std::size_t c = 0; c < 256; ++c, value += 0.37f) {
                const auto bits = std::bit_cast<std::uint32_t>(std::fmaf(value, in[0], in[1]));
                const std::uint32_t rounded =
                    (bits + 0x7fff + (bits >> 16 & 1)) >> 16; // nothing here is infinite or NaN
                wrong += out[256 * t + c] != rounded;
            }
        }
        CHECK(wrong == 0);
    }
}
