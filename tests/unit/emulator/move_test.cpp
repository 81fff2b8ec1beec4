// mov with vectors, constants, special registers and addresses; cvt between every two integer types.
#include "program.hpp"

using namespace tmemc::emulator;

namespace {

// Runs `body` in one warp of 32 threads, each with 8 bytes of `in`; %out points to the thread's 16 bytes.
std::vector<std::uint64_t> run(const std::string& body, const std::vector<std::uint64_t>& in,
                               Shape shape = {}) {
    std::vector<std::uint64_t> out(2 *
                                   static_cast<std::size_t>(shape.block.x * shape.block.y * shape.block.z));
    Program program(
        kernel("mov.u32 %r90, %tid.x; mov.u32 %r91, %ntid.x; mad.lo.u32 %r90, %tid.y, %r91, %r90;\n"
               "mul.wide.u32 %d60, %r90, 8; add.u64 %in, %in, %d60; mul.wide.u32 %d60, %r90, 16;\n"
               "add.u64 %out, %out, %d60;\n" +
               body + "ret;"));
    const Outcome outcome = program.run(shape, in, out);
    CHECK_MESSAGE(!outcome.fault, words(outcome));
    return out;
}

std::vector<std::uint64_t> random_words(std::size_t count) {
    std::mt19937_64 random(7);
    std::vector<std::uint64_t> words(count);
    for (auto& word : words) word = random();
    return words;
}

} // namespace

TEST_CASE("a vector packs with its first element lowest, and unpacks the same way") {
    const auto in = random_words(32);
    const auto out =
        run("ld.global.u64 %d1, [%in];\n"
            "mov.b64 {%r1, %r2}, %d1; mov.b32 {%h1, %h2}, %r1; mov.b64 {%h3, %h4, %h5, %h6}, %d1;\n"
            "mov.b32 %r3, {%h2, %h6}; mov.b64 %d2, {%r2, %r3}; st.global.u64 [%out], %d2;\n"
            "mov.b64 {_, %r4}, %d1; mov.b64 %d3, {%h5, %h1, 7, %h4}; add.u32 %r4, %r4, 0;\n"
            "st.global.u64 [%out+8], %d3;\n",
            in);
    for (std::size_t t = 0; t < 32; ++t) {
        const auto part = [&](int k) { return in[t] >> (16 * k) & 0xffff; };
        CHECK(out[2 * t] == (in[t] >> 32 | part(1) << 32 | part(3) << 48));
        CHECK(out[2 * t + 1] == (part(2) | part(0) << 16 | std::uint64_t{7} << 32 | part(1) << 48));
    }
}

TEST_CASE("bytes pack into halves and words, and words and double words into 128 bits") {
    const auto in = random_words(32);
    const auto out =
        run(".reg .b8 %c<8>;\n"
            "ld.global.u64 %d1, [%in]; mov.b64 {%r1, %r2}, %d1; mov.b32 {%c1, %c2, %c3, %c4}, %r1;\n"
            "mov.b16 %h1, {%c4, %c2}; mov.b32 %r3, {%c3, %c1, %c1, %c2}; mov.b32 {%h2, _}, %r2;\n"
            "mov.b16 {%c5, %c6}, %h2; mov.b32 %r4, {%c6, %c5, %c5, %c6}; mov.b32 %r5, {%h1, %h1};\n"
            "mov.b128 %q1, {%r4, %r3, %r5, %r2}; mov.b128 %q2, %q1; mov.b128 {%d2, %d3}, %q2;\n"
            "mov.b128 %q1, {%d3, %d2}; mov.b128 {%r6, %r7, %r8, %r9}, %q1; mov.b64 %d4, {%r8, %r9};\n"
            "st.global.u64 [%out], %d4; mov.b64 %d5, {%r6, %r7}; st.global.u64 [%out+8], %d5;\n",
            in);
    for (std::size_t t = 0; t < 32; ++t) {
        const auto byte = [&](int k) { return in[t] >> (8 * k) & 0xff; };
        const std::uint64_t r3 = byte(2) | byte(0) << 8 | byte(0) << 16 | byte(1) << 24;
        const std::uint64_t r4 = byte(5) | byte(4) << 8 | byte(4) << 16 | byte(5) << 24;
        const std::uint64_t r5 = (byte(3) | byte(1) << 8) * 0x10001;
        CHECK(out[2 * t] == (r4 | r3 << 32));
        CHECK(out[2 * t + 1] == (r5 | (in[t] >> 32) << 32));
    }
}

TEST_CASE("constants in every notation reach registers of every width") {
    const auto in = random_words(32);
    const auto out = run("mov.u64 %d1, -2; mov.f32 %f1, 0f3FC00000; mov.f32 %f2, 1.5; mov.b16 %h1, 0xfffe;\n"
                         "mov.b32 %r1, {%h1, %h1}; st.global.u64 [%out], %d1; st.global.f32 [%out+8], %f2;\n"
                         "setp.eq.f32 %p1, %f1, %f2; @%p1 st.global.u32 [%out+12], %r1;\n",
                         in);
    for (std::size_t t = 0; t < 32; ++t) {
        CHECK(out[2 * t] == ~std::uint64_t{1});
        CHECK(out[2 * t + 1] == 0xfffefffe3fc00000);
    }
}

TEST_CASE("special registers say where a thread is") {
    const auto in = random_words(48);
    const auto out =
        run("mov.u32 %r1, %tid.y; shl.b32 %r1, %r1, 8; or.b32 %r1, %r1, %tid.x; shl.b32 %r2, %laneid, 16;\n"
            "or.b32 %r1, %r1, %r2; shl.b32 %r2, %warpid, 24; or.b32 %r1, %r1, %r2;\n"
            "mov.u32 %r3, %ntid.y; shl.b32 %r3, %r3, 8; or.b32 %r3, %r3, %nwarpid;\n"
            "st.global.u32 [%out], %r1; st.global.u32 [%out+4], %r3;\n"
            "mov.u32 %r4, %lanemask_le; st.global.u32 [%out+8], %r4;\n"
            "mov.u32 %r5, %lanemask_gt; st.global.u32 [%out+12], %r5;\n",
            in, {.block = {16, 3, 1}});
    for (std::uint64_t t = 0; t < 48; ++t) {
        CHECK(out[2 * t] ==
              (t % 16 | t / 16 << 8 | t % 32 << 16 | t / 32 << 24 | std::uint64_t{0x302} << 32));
        std::uint64_t up_to = 0;
        for (std::uint64_t lane = 0; lane <= t % 32; ++lane) up_to |= std::uint64_t{1} << lane;
        CHECK(out[2 * t + 1] == (up_to | (~up_to & 0xffffffff) << 32));
    }
}

TEST_CASE("every CTA of a grid runs with its own number") {
    std::vector<std::uint32_t> in(1), out(24);
    Program program(
        kernel("mov.u32 %r1, %nctaid.y; mad.lo.u32 %r1, %ctaid.z, %r1, %ctaid.y; mov.u32 %r2, %nctaid.x;\n"
               "mad.lo.u32 %r1, %r1, %r2, %ctaid.x; mul.wide.u32 %d1, %r1, 4; add.u64 %out, %out, %d1;\n"
               "add.u32 %r3, %r1, 100; st.global.u32 [%out], %r3; ret;"));
    const Outcome outcome = program.run({{1, 1, 1}, {2, 3, 4}}, in, out);
    REQUIRE(!outcome.fault);
    for (std::uint32_t cta = 0; cta < 24; ++cta) CHECK(out[cta] == 100 + cta);
    CHECK(outcome.thread_instructions == 24 * 11);
}

namespace {

// The conversion by C++'s own casts; the result as the bits of a 64-bit register, extended by the type's
// sign.
template <class To, class From>
std::uint64_t converted(std::uint64_t raw) {
    const auto number = static_cast<To>(static_cast<From>(raw));
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
}
using Converted = std::uint64_t (*)(std::uint64_t);
template <class To>
constexpr std::array<Converted, 8> from_all() {
    return {converted<To, std::uint8_t>,  converted<To, std::int8_t>,   converted<To, std::uint16_t>,
            converted<To, std::int16_t>,  converted<To, std::uint32_t>, converted<To, std::int32_t>,
            converted<To, std::uint64_t>, converted<To, std::int64_t>};
}
constexpr std::array<std::array<Converted, 8>, 8> conversions{
    from_all<std::uint8_t>(),  from_all<std::int8_t>(),  from_all<std::uint16_t>(), from_all<std::int16_t>(),
    from_all<std::uint32_t>(), from_all<std::int32_t>(), from_all<std::uint64_t>(), from_all<std::int64_t>()};
constexpr const char* type_names[] = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};

} // namespace

TEST_CASE("cvt converts between every two integer types, into the width of the register") {
    const auto in = random_words(32);
    int pairs = 0;
    for (std::size_t to = 0; to < 8; ++to) {
        for (std::size_t from = 0; from < 8; ++from) {
            const std::string type = std::string(type_names[to]) + "." + type_names[from];
            INFO(type);
            // From a 64-bit register into one, and from the narrowest into the narrowest that take the types.
            const bool wide_in = from >= 6, wide_out = to >= 6;
            const std::string source = wide_in ? "%d1" : "%r1", result = wide_out ? "%d3" : "%r3";
            const auto out =
                run("ld.global.u64 %d1, [%in]; ld.global.u32 %r1, [%in]; cvt." + type + " %d2, %d1;\ncvt." +
                        type + " " + result + ", " + source + ";\nst.global.u64 [%out], %d2; st.global.u" +
                        (wide_out ? "64" : "32") + " [%out+8], " + result + ";\n",
                    in);
            for (std::size_t t = 0; t < 32; ++t) {
                const std::uint64_t want = conversions[to][from](in[t]);
                CHECK(out[2 * t] == want);
                CHECK(out[2 * t + 1] == (wide_out ? want : want & 0xffffffff));
            }
            ++pairs;
        }
    }
    CHECK(pairs == 64);
}

TEST_CASE("registers of 8 bits are parts of those of 16 and 32") {
    const std::vector<std::uint32_t> in{0x81c2f304};
    std::vector<std::uint32_t> out(3);
    Program program(
        kernel(".reg .b8 %b<4>; ld.global.b32 %r1, [%in];\n"
               "mov.b32 {%b0, %b1, %b2, %b3}, %r1; mov.b32 %r2, {%b3, %b2, %b1, %b0};\n"
               "mov.b16 %h1, {%b2, %b0}; mov.b16 {%b1, _}, %h1; mov.b32 %r3, {%b1, %b1, %b1, %b1};\n"
               "mov.b32 %r4, {%h1, %h1};\n"
               "st.global.v2.b32 [%out], {%r2, %r3}; st.global.b32 [%out+8], %r4;"));
    CHECK(words(program.run({{1, 1, 1}}, in, out)) == "");
    CHECK(out == std::vector<std::uint32_t>{0x04f3c281, 0xc2c2c2c2, 0x04c204c2});
}
