// The rows: the first that allows all words is the one.
#include "emulator/conversion_table.hpp"

#include "emulator/decode.hpp"

#include <string>

namespace tmemc::emulator {

namespace {

// Word lists have a space between words; "-" stands for no word, and modifiers that go together are joined by
// dots, in the order of `modifiers`.
struct ConversionRow {
    std::string_view to, from, roundings, modifiers;
    Needs needs{};
    Sources sources = Sources::one;
    bool wider = false;     // registers may be wider than the types
    bool narrowing = false; // only where a number may not fit
    Needs or_needs{};       // either suffices; by default that of `needs`
};

constexpr Needs always{};
constexpr Needs ampere{{7, 0}, 80, {}};
constexpr Needs ampere_finite{{8, 1}, 80, {}};
constexpr Needs hopper{{7, 8}, 90, {}};
constexpr Needs ada{{8, 1}, 89, {}};
constexpr Needs blackwell{{8, 6}, 100, {}};
constexpr Needs narrow{
    {8, 6}, 100, "sm_100a sm_100f sm_103a sm_103f sm_110a sm_110f sm_120a sm_120f sm_121a sm_121f"};
constexpr Needs random_bits{{8, 7}, 100, "sm_100a sm_103a"};

constexpr std::string_view integers = "u8 u16 u32 u64 s8 s16 s32 s64";
constexpr std::string_view wide_integers = "u16 u32 u64 s16 s32 s64";
constexpr std::string_view floats = "rn rz rm rp";
constexpr std::string_view wholes = "rni rzi rmi rpi";
constexpr std::string_view wholes_or_none = "- rni rzi rmi rpi";
constexpr std::string_view sat = "- sat";
constexpr std::string_view ftz_sat = "- ftz sat ftz.sat";
constexpr std::string_view finite = "satfinite relu.satfinite";
constexpr auto one = Sources::one;
constexpr auto pair = Sources::pair;
constexpr auto pair_random = Sources::pair_and_random;
constexpr auto quad_random = Sources::quad_and_random;

// clang-format off
constexpr ConversionRow rows[] = {
    // integers, f16, f32, f64 among each other
    {integers,        integers,        "-",            "-",              always, one, true},
    {integers,        integers,        "-",            "sat",            always, one, true, true},
    {integers,        "f16 f64",       wholes,         sat,              always, one, true},
    {integers,        "f32",           wholes,         ftz_sat,          always, one, true},
    {"f16 f64",       integers,        floats,         sat,              always, one, true},
    {"f16",           "f64",           floats,         sat,              always, one, true},
    {"f64",           "f16",           "-",            sat,              always, one, true},
    {"f16",           "f16",           wholes_or_none, sat,              always, one, true},
    {"f64",           "f64",           wholes_or_none, sat,              always, one, true},
    {"f32",           integers,        floats,         ftz_sat,          always, one, true},
    {"f32",           "f64",           floats,         ftz_sat,          always, one, true},
    {"f32",           "f16",           "-",            ftz_sat,          always, one, true},
    {"f64",           "f32",           "-",            ftz_sat,          always, one, true},
    {"f32",           "f32",           wholes_or_none, ftz_sat,          always, one, true},
    {"f16",           "f32",           floats,         ftz_sat,          always, one, true},
    {"f16",           "f32",           "rn rz",        "relu",           ampere, one, true},
    {"f16",           "f32",           "rn rz",        "satfinite",      {{8, 1}, 75, {}}, one, true},
    {"f16",           "f32",           "rn rz",        "relu.satfinite", ampere_finite, one, true},
    // bf16
    {wide_integers,   "bf16",          wholes,         "-",              hopper},
    {"bf16",          wide_integers,   floats,         "-",              hopper},
    {"bf16",          "f64",           floats,         "-",              hopper},
    {"bf16",          "bf16",          wholes_or_none, "-",              hopper},
    {"bf16",          "f16",           "- rn rz rm rp", "-",             hopper},
    {"f16 f64",       "bf16",          "- rn rz rm rp", "-",             hopper},
    {"f32",           "bf16",          "- rn rz rm rp", "-",             {{7, 1}, 80, {}}},
    {"f32",           "bf16",          "- rn rz rm rp", "ftz",           hopper},
    {"bf16",          "f32",           floats,         "- ftz",          ampere},
    {"bf16",          "f32",           "rn rz",        "relu",           ampere},
    {"bf16",          "f32",           "rn rz",        finite,           ampere_finite},
    // tf32
    {"tf32",          "f32",           "rna",          "-",              ampere},
    {"tf32",          "f32",           "rna",          "satfinite",      ampere_finite},
    {"tf32",          "f32",           "rn rz",        "- relu",         hopper},
    {"tf32",          "f32",           "rn rz",        finite,           blackwell},
    // pairs and quadruples
    {"f16x2",         "f32",           "rn rz",        "- relu",         ampere, pair, true},
    {"f16x2",         "f32",           "rn rz",        finite,           ampere_finite, pair, true},
    {"bf16x2",        "f32",           "rn rz",        "- relu",         ampere, pair},
    {"bf16x2",        "f32",           "rn rz",        finite,           ampere_finite, pair},
    {"f16x2 bf16x2",  "f32",           "rs",           "- relu satfinite relu.satfinite", random_bits, pair_random},
    {"e4m3x2 e5m2x2", "f32",           "rn",           finite,           hopper, pair, false, false, ada},
    {"e4m3x2 e5m2x2", "f16x2",         "rn",           finite,           hopper, one, false, false, ada},
    {"f16x2",         "e4m3x2 e5m2x2", "rn",           "- relu",         hopper, one, false, false, ada},
    {"e2m1x2 e2m3x2 e3m2x2", "f32",    "rn",           finite,           narrow, pair},
    {"e2m1x2",        "f16x2",         "rn",           finite,           narrow},
    {"f16x2",         "e2m1x2 e2m3x2 e3m2x2", "rn",    "- relu",         narrow},
    {"ue8m0x2",       "f32",           "rz rp",        "- satfinite",    narrow, pair},
    {"ue8m0x2",       "bf16x2",        "rz rp",        "- satfinite",    narrow},
    {"bf16x2",        "ue8m0x2",       "rn",           "-",              narrow},
    {"e4m3x4 e5m2x4 e2m1x4 e2m3x4 e3m2x4", "f32", "rs", finite,          random_bits, quad_random},
};
// clang-format on

struct RoundingWord {
    std::string_view word;
    Rounding rounding;
    bool whole;
};
constexpr RoundingWord rounding_words[] = {
    {"rn", Rounding::nearest_even, false},  {"rz", Rounding::zero, false},
    {"rm", Rounding::down, false},          {"rp", Rounding::up, false},
    {"rna", Rounding::nearest_away, false}, {"rs", Rounding::stochastic, false},
    {"rni", Rounding::nearest_even, true},  {"rzi", Rounding::zero, true},
    {"rmi", Rounding::down, true},          {"rpi", Rounding::up, true},
};

bool lists(std::string_view list, std::string_view word) {
    for (std::size_t at = list.find(word); at != std::string_view::npos; at = list.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
    }
    return false;
}

/// Whether some number of `from` is none of `to`, both integer formats.
bool narrowing(const Format& to, const Format& from) {
    const bool from_signed = from.kind == Format::Kind::integer, to_signed = to.kind == Format::Kind::integer;
    if (from_signed == to_signed) return to.bits < from.bits;
    return from_signed || to.bits <= from.bits;
}

std::optional<Packed> packed(std::string_view name) {
    if (const Format* single = format(name)) return Packed{single, 1};
    if (name.size() < 2) return {};
    const std::string_view times = name.substr(name.size() - 2);
    const Format* element = format(name.substr(0, name.size() - 2));
    if (element == nullptr || (times != "x2" && times != "x4")) return {};
    return Packed{element, times == "x2" ? 2 : 4};
}

/// Takes the modifiers out of the names; what they are, joined by dots, or "-".
std::string take_modifiers(Modifiers& names, Conversion& into) {
    std::string given;
    const auto take = [&](std::string_view word, bool& flag) {
        flag = names.take(word);
        if (flag) given.append(given.empty() ? "" : ".").append(word);
    };
    take("ftz", into.flush);
    take("sat", into.saturate);
    take("relu", into.relu);
    take("satfinite", into.finite);
    return given.empty() ? "-" : given;
}

std::string_view take_rounding(Modifiers& names, Conversion& into) {
    for (const RoundingWord& row : rounding_words) {
        if (!names.take(row.word)) continue;
        into.rounding = row.rounding;
        into.whole = row.whole;
        return row.word;
    }
    return "-";
}

} // namespace

std::optional<ConversionMatch> conversion(std::string_view words) {
    Modifiers names(words);
    Conversion c;
    const std::string modifiers = take_modifiers(names, c);
    const std::string_view rounding = take_rounding(names, c);
    if (names.words().size() != 2) return {};
    const std::string_view to_name = names.words()[0], from_name = names.words()[1];
    const auto to = packed(to_name), from = packed(from_name);
    if (!to || !from) return {};
    c.to = *to;
    c.from = *from;
    for (const ConversionRow& row : rows) {
        if (!lists(row.to, to_name) || !lists(row.from, from_name)) continue;
        if (!lists(row.roundings, rounding) || !lists(row.modifiers, modifiers)) continue;
        if (row.narrowing && !narrowing(*to->format, *from->format)) continue;
        c.sources = row.sources;
        return ConversionMatch{c, row.wider, row.needs,
                               row.or_needs.sm == always.sm ? row.needs : row.or_needs};
    }
    return {};
}

} // namespace tmemc::emulator
