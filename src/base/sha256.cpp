// The constants of the standard are the first 32 bits behind the point of the square roots of the first 8
// primes and of the cube roots of the first 64, so they are worked out here: 35 bits of a double's 53 are
// used.
#include "base/sha256.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace tmemc::base {
namespace {

using Word = std::uint32_t;
using State = std::array<Word, 8>;
constexpr std::size_t block_bytes = 64, rounds = 64;

bool is_prime(int n) {
    for (int d = 2; d * d <= n; ++d)
        if (n % d == 0) return false;
    return true;
}

Word fraction_bits(double root) { return static_cast<Word>((root - std::floor(root)) * 0x1p32); }

struct Constants {
    State start{};
    std::array<Word, rounds> round{};
    Constants() {
        int prime = 1;
        for (std::size_t i = 0; i < rounds; ++i) {
            while (!is_prime(++prime)) {
            }
            if (i < start.size()) start[i] = fraction_bits(std::sqrt(prime));
            round[i] = fraction_bits(std::cbrt(prime));
        }
    }
};

const Constants& constants() {
    static const Constants made;
    return made;
}

/// One block into the state (section 6.2.2).
void stir(State& state, const char* block) {
    std::array<Word, rounds> w{};
    for (std::size_t t = 0; t < 16; ++t)
        for (std::size_t i = 0; i < 4; ++i) w[t] = w[t] << 8 | static_cast<unsigned char>(block[4 * t + i]);
    for (std::size_t t = 16; t < rounds; ++t) {
        const Word a = w[t - 15], b = w[t - 2];
        w[t] = w[t - 16] + w[t - 7] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) +
               (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t t = 0; t < rounds; ++t) {
        const Word first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                           ((e & f) ^ (~e & g)) + constants().round[t] + w[t];
        const Word second =
            (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
    }
    const State stirred{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < state.size(); ++i) state[i] += stirred[i];
}

} // namespace

std::string sha256(std::string_view bytes) {
    State state = constants().start;
    std::size_t at = 0;
    for (; at + block_bytes <= bytes.size(); at += block_bytes) stir(state, bytes.data() + at);
    std::string rest(bytes.substr(at));
    rest += '\x80';
    while (rest.size() % block_bytes != block_bytes - 8) rest += '\0';
    const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
    for (int shift = 56; shift >= 0; shift -= 8) rest += static_cast<char>(bits >> shift & 0xff);
    for (at = 0; at < rest.size(); at += block_bytes) stir(state, rest.data() + at);
    std::string digits;
    for (const Word word : state) digits += fmt::format("{:08x}", word);
    return digits;
}

} // namespace tmemc::base
