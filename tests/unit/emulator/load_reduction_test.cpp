// tcgen05.ld.red against min and max written here: every operation and type, with and without .abs and .NaN,
// both shapes, over values with NaNs of all kinds, infinities, zeros of both signs and subnormal numbers. The
// vector must arrive unchanged beside the result.
#include "program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

using namespace tmemc::emulator;

namespace {

constexpr int width = 64; // columns filled with values

std::string module_text(const std::string& shape, int num, const std::string& spelling) {
    std::string body = ".reg .b32 %red;\nmul.wide.u32 %d1, %tid, 256; add.u64 %d1, %in, %d1;\n";
    for (int c = 0; c < width; ++c)
        body += fmt::format("ld.global.b32 %r200, [%d1+{}]; "
                            "tcgen05.st.sync.aligned.32x32b.x1.b32 [%t+{}], {{%r200}};\n",
                            4 * c, c);
    std::string values;
    for (int k = 0; k < num; ++k) values += fmt::format("{}%r{}", k == 0 ? "" : ", ", k);
    body += fmt::format("tcgen05.wait::st.sync.aligned;\n"
                        "tcgen05.ld.red.sync.aligned.{}.x{}{} {{{}}}, %red, [%t]{};\n"
                        "tcgen05.wait::ld.sync.aligned;\n"
                        "mul.wide.u32 %d2, %tid, 8; add.u64 %d2, %out, %d2;\n"
                        "st.global.b32 [%d2], %red; st.global.b32 [%d2+4], %r{};\n",
                        shape, num, spelling, values, shape == "16x32bx2" ? ", 32" : "", num - 1);
    std::string text = tensor_kernel(64, body);
    text.replace(text.find("sm_100a"), 7, "sm_103a");
    return text;
}

struct Spelling {
    bool max, abs, nan;
    char type; // 'f', 'u', 's'
    [[nodiscard]] std::string text() const {
        return fmt::format(".{}{}{}.{}32", max ? "max" : "min", abs ? ".abs" : "", nan ? ".NaN" : "", type);
    }
};

std::uint32_t float_result(const std::vector<std::uint32_t>& words, const Spelling& s) {
    bool any_nan = false, any_number = false;
    float best = 0;
    for (const std::uint32_t word : words) {
        float value = std::bit_cast<float>(word);
        if (s.abs) value = std::fabs(value);
        if (std::isnan(value)) {
            any_nan = true;
            continue;
        }
        const bool below = value < best || (value == best && std::signbit(value) && !std::signbit(best));
        const bool equal = value == best && std::signbit(value) == std::signbit(best);
        if (!any_number || (s.max ? !below && !equal : below)) best = value;
        any_number = true;
    }
    return (any_nan && s.nan) || !any_number ? 0x7fffffffU : std::bit_cast<std::uint32_t>(best);
}

std::uint32_t expected(const std::vector<std::uint32_t>& words, const Spelling& s) {
    if (s.type == 'f') return float_result(words, s);
    const auto less = [&](std::uint32_t a, std::uint32_t b) {
        return s.type == 'u' ? a < b : static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
    };
    return s.max ? *std::max_element(words.begin(), words.end(), less)
                 : *std::min_element(words.begin(), words.end(), less);
}

std::uint32_t drawn(std::mt19937& random) {
    static const std::uint32_t edges[] = {0,          0x80000000, 0x7f800000, 0xff800000,
                                          0x7fc00000, 0xffc12345, 0x7f800001, 1,
                                          0x80000001, 0x3f800000, 0xbf800000, 0x7f7fffff};
    return random() % 3 == 0 ? edges[random() % std::size(edges)] : static_cast<std::uint32_t>(random());
}

} // namespace

TEST_CASE("ld.red gives the least or greatest of each thread's values") {
    std::mt19937 random(5);
    std::map<std::string, int> classes;
    for (const bool max : {false, true}) {
        for (const Spelling& s : {Spelling{max, false, false, 'u'},
                                  {max, false, false, 's'},
                                  {max, false, false, 'f'},
                                  {max, true, false, 'f'},
                                  {max, false, true, 'f'},
                                  {max, true, true, 'f'}}) {
            for (const std::string shape : {"32x32b", "16x32bx2"}) {
                for (const int num : {2, 8, 32}) {
                    std::vector<std::uint32_t> in(32 * width), out(64);
                    for (auto& word : in) word = drawn(random);
                    for (std::size_t c = 0; c < width; ++c) in[7 * width + c] = 0x7fc00000; // only NaNs
                    Program program(module_text(shape, num, s.text()));
                    const Outcome outcome = program.run({{32, 1, 1}, {1, 1, 1}}, in, out);
                    CAPTURE(s.text());
                    CAPTURE(shape);
                    CAPTURE(num);
                    REQUIRE(words(outcome) == "");
                    for (std::size_t t = 0; t < 32; ++t) {
                        const bool split = shape == "16x32bx2";
                        const std::size_t lane = split ? t % 16 : t, first = split && t >= 16 ? 32 : 0;
                        const auto begin = in.begin() + static_cast<std::ptrdiff_t>(lane * width + first);
                        const std::vector<std::uint32_t> mine(begin, begin + num);
                        CAPTURE(t);
                        CHECK(out[2 * t] == expected(mine, s));
                        CHECK(out[2 * t + 1] == mine.back());
                        ++classes[s.text()];
                    }
                }
            }
        }
    }
    CHECK(classes.size() == 12);
}
