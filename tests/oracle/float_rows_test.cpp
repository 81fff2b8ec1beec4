// Every row of f32, f64 and f32x2 against this processor's own arithmetic in its four rounding modes (which
// the emulator never touches), and the approximations against long double; by the row's name, and a row
// without an oracle fails.
//
//     fma.rz.ftz.sat.f32: round towards zero, flush a, b and c, fmaf, flush, clamp to [0, 1]
//
// Operands are drawn so that results are exact, inexact, cancelled, tiny and too large; how many of each kind
// were drawn is printed, and none is a failure. Compiled with -frounding-math.
#include "arithmetic_rows.hpp"

#include <bit>
#include <cfenv>
#include <cfloat>
#include <cmath>

using namespace tmemc;
using namespace tmemc::oracle;

namespace {

constexpr std::uint64_t nan32 = 0x7fffffff, nan64 = 0x7ff8000000000000;

std::uint64_t raw(float value) { return std::isnan(value) ? nan32 : std::bit_cast<std::uint32_t>(value); }
std::uint64_t raw(double value) { return std::isnan(value) ? nan64 : std::bit_cast<std::uint64_t>(value); }
template <class T>
T from_raw(std::uint64_t bits) {
    if constexpr (sizeof(T) == 4)
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    else
        return std::bit_cast<double>(bits);
}

int mode_of(const Name& name) {
    return name.has("rz")   ? FE_TOWARDZERO
           : name.has("rm") ? FE_DOWNWARD
           : name.has("rp") ? FE_UPWARD
                            : FE_TONEAREST;
}
template <class T>
T flush(const Name& name, T value) {
    return name.has("ftz") && std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(T{0}, value) : value;
}

/// The operation by hardware, in the processor's current mode.
template <class T>
T compute(const std::string& operation, const std::array<volatile T, 3>& x) {
    if (operation == "add") return x[0] + x[1];
    if (operation == "sub") return x[0] - x[1];
    if (operation == "mul") return x[0] * x[1];
    if (operation == "div") return x[0] / x[1];
    if (operation == "rcp") return T{1} / x[0];
    if (operation == "sqrt") return std::sqrt(T{x[0]});
    REQUIRE((operation == "fma" || operation == "mad"));
    return std::fma(T{x[0]}, T{x[1]}, T{x[2]});
}

std::map<std::string, std::size_t> kinds;

template <class T>
std::uint64_t rounded(const Name& name, const std::vector<std::uint64_t>& in) {
    std::array<volatile T, 3> x{};
    for (std::size_t k = 0; k < in.size(); ++k) x[k] = flush(name, from_raw<T>(in[k]));
    std::fesetround(mode_of(name));
    std::feclearexcept(FE_ALL_EXCEPT);
    volatile T result = compute<T>(name.operation(), x);
    const int raised = std::fetestexcept(FE_ALL_EXCEPT);
    std::fesetround(FE_TONEAREST);
    ++kinds[(raised & FE_INVALID) != 0     ? "invalid"
            : (raised & FE_OVERFLOW) != 0  ? "too large"
            : (raised & FE_UNDERFLOW) != 0 ? "tiny"
            : (raised & FE_INEXACT) != 0   ? "inexact"
            : T{result} == 0               ? "zero"
                                           : "exact"];
    T value = flush(name, T{result});
    if (name.has("sat")) value = std::isnan(value) || value <= 0 ? T{0} : value > 1 ? T{1} : value;
    return raw(value);
}

// ---- without arithmetic

template <class T>
std::uint64_t extreme(const Name& name, const std::vector<std::uint64_t>& in) {
    T result = flush(name, from_raw<T>(in[0]));
    bool negative = std::signbit(result);
    if (name.has("abs")) result = std::fabs(result);
    for (std::size_t k = 1; k < in.size(); ++k) {
        T next = flush(name, from_raw<T>(in[k]));
        negative = negative != std::signbit(next);
        if (name.has("abs")) next = std::fabs(next);
        const bool smaller = next < result || (next == result && std::signbit(next));
        const bool larger = next > result || (next == result && !std::signbit(next));
        if (name.has("NaN") && (std::isnan(result) || std::isnan(next)))
            result = std::numeric_limits<T>::quiet_NaN();
        else if (std::isnan(result) || (!std::isnan(next) && (name.operation() == "min" ? smaller : larger)))
            result = next;
    }
    if (name.has("xorsign") && !std::isnan(result)) result = std::copysign(result, negative ? T{-1} : T{1});
    return raw(result);
}

template <class T>
std::uint64_t by_bits(const Name& name, const std::vector<std::uint64_t>& in) {
    const std::uint64_t sign = std::uint64_t{1} << (8 * sizeof(T) - 1);
    std::uint64_t value = in[0];
    const std::uint64_t exponent = sizeof(T) == 4 ? 0x7f800000 : 0x7ff0000000000000;
    if (name.has("ftz") && (value & exponent) == 0) value &= sign;
    if (name.operation() == "neg") return value ^ sign;
    if (name.operation() == "abs") return value & ~sign;
    return (in[1] & ~sign) | (in[0] & sign); // copysign
}

template <class T>
std::uint64_t tested(const Name& name, const std::vector<std::uint64_t>& in) {
    const int kind = std::fpclassify(from_raw<T>(in[0]));
    const std::map<std::string, bool> results{{"finite", kind != FP_NAN && kind != FP_INFINITE},
                                              {"infinite", kind == FP_INFINITE},
                                              {"number", kind != FP_NAN},
                                              {"notanumber", kind == FP_NAN},
                                              {"normal", kind == FP_NORMAL || kind == FP_ZERO},
                                              {"subnormal", kind == FP_SUBNORMAL}};
    return results.at(name.words[1]) ? 1 : 0;
}

template <class T>
std::uint64_t compared(const Name& name, const std::vector<std::uint64_t>& in) {
    const T a = flush(name, from_raw<T>(in[0])), b = flush(name, from_raw<T>(in[1]));
    const bool unordered = std::isunordered(a, b);
    std::string how = name.words[1];
    if (how == "num") return unordered ? 0 : 1;
    if (how == "nan") return unordered ? 1 : 0;
    const bool also_unordered = how.size() == 3;
    if (unordered) return also_unordered ? 1 : 0;
    how.resize(2);
    const std::map<std::string, bool> results{{"eq", a == b}, {"ne", a != b}, {"lt", a < b},
                                              {"le", a <= b}, {"gt", a > b},  {"ge", a >= b}};
    return results.at(how) ? 1 : 0;
}

// ---- approximations

long double true_value(const Name& name, const std::vector<long double>& x) {
    const std::string& operation = name.operation();
    if (operation == "div") return x[0] / x[1];
    if (operation == "rcp") return 1 / x[0];
    if (operation == "sqrt") return std::sqrt(x[0]);
    if (operation == "rsqrt") return 1 / std::sqrt(x[0]);
    if (operation == "sin") return std::sin(x[0]);
    if (operation == "cos") return std::cos(x[0]);
    if (operation == "ex2") return std::exp2(x[0]);
    if (operation == "lg2") return std::log2(x[0]);
    REQUIRE(operation == "tanh");
    return std::tanh(x[0]);
}

/// In units of the last place of a T near `at`.
template <class T>
long double places(long double difference, long double at) {
    const int exponent =
        std::max(at == 0 ? -20000 : std::ilogb(at), std::numeric_limits<T>::min_exponent - 1);
    return std::fabs(difference) / std::ldexp(1.0L, exponent - std::numeric_limits<T>::digits + 1);
}

/// Whether the emulator's result is what the pages allow, which is less than what it is to be: within `units`
/// of the last place.
template <class T>
bool approximates(const Name& name, const std::vector<std::uint64_t>& in, std::uint64_t out,
                  long double units) {
    std::vector<long double> x;
    for (const std::uint64_t bits : in) x.push_back(static_cast<long double>(flush(name, from_raw<T>(bits))));
    if (name.full.starts_with("div.approx") && std::fabs(x[1]) > 0x1p126L && std::isfinite(x[1])) {
        if (std::isinf(x[0]) || std::isnan(x[0])) return out == raw(T(NAN));
        return out == raw(std::signbit(x[0]) != std::signbit(x[1]) ? T(-0.0) : T(0));
    }
    const long double want = true_value(name, x);
    const T got = from_raw<T>(out), nearest = flush(name, static_cast<T>(want));
    if (std::isnan(want)) return out == raw(T(NAN));
    if (std::isinf(nearest) || nearest == 0) // just short of them is as good
        return got == nearest ? std::signbit(got) == std::signbit(nearest)
                              : places<T>(got - want, want) <= units;
    return std::isfinite(got) && places<T>(got - want, want) <= units;
}

// Upper words only: 20 bits of fraction, of which the last may be off by one; subnormals are zeros.
bool upper_word_approximates(const Name& name, std::uint64_t in, std::uint64_t out) {
    double x = from_raw<double>(in & 0xffffffff00000000);
    if (std::fpclassify(x) == FP_SUBNORMAL) x = std::copysign(0.0, x);
    const double want = name.operation() == "rcp" ? 1 / x : 1 / std::sqrt(x), got = from_raw<double>(out);
    if (std::isnan(want)) return std::isnan(got) && (out & 0xffffffff) == 0;
    if ((out & 0xffffffff) != 0 || std::signbit(got) != std::signbit(want)) return false;
    if (std::isinf(want) || want == 0) return got == want;
    if (std::fpclassify(want) == FP_SUBNORMAL) return got == 0 || got == std::copysign(DBL_MIN, want);
    return std::fabs(got - want) <= std::fabs(want) * 0x1p-20;
}

// ---- operands

template <class T>
std::uint64_t draw(std::mt19937_64& random) {
    constexpr int fraction = std::numeric_limits<T>::digits - 1, top = 8 * sizeof(T) - 1;
    constexpr std::uint64_t exponents = (std::uint64_t{1} << (top - fraction)) - 1, bias = exponents / 2;
    const std::uint64_t sign = random() % 2 << top;
    std::uint64_t mantissa = random() & ((std::uint64_t{1} << fraction) - 1), exponent = bias;
    switch (random() % 8) {
    case 0: mantissa = 0; break;
    case 1: mantissa = (std::uint64_t{1} << fraction) - 1; break;
    case 2: mantissa &= mantissa << (random() % fraction); break; // few bits: exact results
    case 3: mantissa = 1; break;
    default: break;
    }
    switch (random() % 8) {
    case 0: exponent = random() % (exponents + 1); break;
    case 1: exponent = random() % 2; break;             // zero and subnormal
    case 2: exponent = exponents - random() % 3; break; // the largest, infinity, NaN
    case 3: exponent = bias / 2 + random() % 8; break;  // squares near the smallest
    case 4: exponent = bias + bias / 2 + random() % 8; break;
    default: exponent = bias - 4 + random() % 8; break;
    }
    return sign | exponent << fraction | mantissa;
}

std::vector<std::uint64_t> draw_operands(const Name& name, const std::vector<int>& bits,
                                         std::mt19937_64& random) {
    std::vector<std::uint64_t> in;
    for (std::size_t k = 1; k < bits.size(); ++k) {
        if (name.type() == "f32x2")
            in.push_back(draw<float>(random) << 32 | draw<float>(random));
        else
            in.push_back(name.type() == "f32" ? draw<float>(random) : draw<double>(random));
    }
    // Operands near one another, for what cancels; a third one near the product of the first two.
    const bool single = name.type() == "f32";
    if (in.size() >= 2 && random() % 4 == 0)
        in[1] = (in[0] + random() % 5 - 2) ^ (random() % 2 << (single ? 31 : 63));
    if (in.size() == 3 && random() % 4 == 0 && name.type() != "f32x2") {
        const double product = single ? -static_cast<double>(from_raw<float>(in[0])) * from_raw<float>(in[1])
                                      : -from_raw<double>(in[0]) * from_raw<double>(in[1]);
        in[2] = (single ? std::bit_cast<std::uint32_t>(static_cast<float>(product))
                        : std::bit_cast<std::uint64_t>(product)) +
                random() % 3;
    }
    for (std::uint64_t& value : in) value = cut(value, bits[1]);
    return in;
}

// ---- judging

template <class T>
std::uint64_t expected(const Name& name, const std::vector<std::uint64_t>& in) {
    const std::string& operation = name.operation();
    if (operation == "min" || operation == "max") return extreme<T>(name, in);
    if (operation == "neg" || operation == "abs" || operation == "copysign") return by_bits<T>(name, in);
    if (operation == "testp") return tested<T>(name, in);
    if (operation == "setp") return compared<T>(name, in);
    return rounded<T>(name, in);
}

bool right(const Name& name, const Sample& sample) {
    const bool approximate = name.has("approx") || name.has("full");
    if (name.full.ends_with("approx.ftz.f64")) return upper_word_approximates(name, sample.in[0], sample.out);
    if (approximate && name.type() == "f32") return approximates<float>(name, sample.in, sample.out, 0.501L);
    if (approximate) return approximates<double>(name, sample.in, sample.out, 2);
    if (name.type() == "f64") return sample.out == expected<double>(name, sample.in);
    if (name.type() == "f32") return sample.out == expected<float>(name, sample.in);
    std::vector<std::uint64_t> low = sample.in, high = sample.in;
    for (std::uint64_t& value : low) value &= 0xffffffff;
    for (std::uint64_t& value : high) value >>= 32;
    return sample.out == (expected<float>(name, high) << 32 | expected<float>(name, low));
}

void check_row(const Opcode& row, std::vector<int> bits, CpuLevel level, bool guarded) {
    const Name name = name_of(row);
    std::mt19937_64 random(std::hash<std::string>{}(name.full) + bits.size());
    std::vector<Sample> samples(4096);
    for (Sample& sample : samples) sample.in = draw_operands(name, bits, random);
    run_row(row, bits, level, guarded, samples);
    std::size_t wrong = 0;
    for (const Sample& sample : samples) {
        if (right(name, sample)) continue;
        if (wrong++ == 0) {
            const bool approximate = name.has("approx") || name.has("full");
            FAIL_CHECK(name.full, " level ", static_cast<int>(level), ": ", fmt::format("{:#x}", sample.out),
                       " for ", spelled(sample),
                       approximate || name.type() == "f32x2" ? ""
                       : name.type() == "f64"
                           ? fmt::format("instead of {:#x}", expected<double>(name, sample.in))
                           : fmt::format("instead of {:#x}", expected<float>(name, sample.in)));
        }
    }
    if (wrong > 1) MESSAGE(name.full << ": " << wrong << " wrong");
}

} // namespace

TEST_CASE("every row of floating point computes what its page says, on any processor") {
    std::size_t rows = 0;
    for (const auto family : {emulator::baseline::float_rows, emulator::baseline::sign_rows,
                              emulator::baseline::divide_rows, emulator::baseline::double_rows,
                              emulator::baseline::approximate_rows, emulator::baseline::compare_rows}) {
        for (const Opcode& row : family()) {
            const Name name = name_of(row);
            if (name.type().front() != 'f' || name.operation() == "selp" || name.operation() == "slct")
                continue;
            if (name.operation() == "cvt" || row.bits[0] == 0) continue;
            const std::vector<int> bits = widths(row);
            std::vector<int> of_three = bits;
            of_three.push_back(bits[1]);
            const bool three = name.operation() == "min" || name.operation() == "max";
            at_each_level([&](CpuLevel level, bool guarded) {
                if (row.operation != nullptr) check_row(row, bits, level, guarded);
                if (three && row.other != nullptr) check_row(row, of_three, level, guarded);
            });
            ++rows;
        }
    }
    std::string counts;
    for (const char* kind : {"invalid", "too large", "tiny", "inexact", "zero", "exact"}) {
        counts += fmt::format(" {}: {}", kind, kinds[kind]);
        CHECK_MESSAGE(kinds[kind] > 1000, kind);
    }
    MESSAGE(rows << " rows; results of rounded operations:" << counts);
    CHECK(rows > 250);
}
