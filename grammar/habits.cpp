// What hands used to C, CUDA or Python type, and how it is said here. A row or a few lines for each habit;
// the mistake is met where the rule stops, so the tokens around it tell which habit it was:
//
//     f32[128][8]         stops at the second `[`        f32[128, 8]
//     (bf16)X             stops at `bf16`                cast<bf16>(X)
//     blockIdx.x * 128    stops at the `.`               cta.x * 128
//
// Not here: slips inside the language (hints.cpp), and names that only sema knows to be unknown, such as
// fmaxf.
#include "grammar/hints.hpp"

#include "base/dtype.hpp"

#include <fmt/format.h>

#include <iterator>

namespace tmemc::grammar {

namespace {

struct Row {
    std::string_view theirs, ours;
};
constexpr Row types[] = {{"float", "f32"},          {"half", "f16"},      {"__half", "f16"},
                         {"__nv_bfloat16", "bf16"}, {"bfloat16", "bf16"}, {"int", "s32"},
                         {"int32_t", "s32"},        {"short", "s16"},     {"char", "s8"},
                         {"unsigned", "u32"},       {"uint32_t", "u32"}};
constexpr Row places_of_cuda[] = {
    {"blockIdx", "a CTA's place in the grid is `cta.x`, `cta.y`, `cta.z`, in slices of tensors and in `let`"},
    {"threadIdx", "no thread has a name: a statement is about a warpgroup's whole tile, and `on warpgroup k` "
                  "picks the warpgroup"},
    {"blockDim", "a CTA has `warpgroups n` of 128 threads each, a constant behind the parameters"},
    {"gridDim", "the grid is a constant behind the parameters: grid(1024)"}};

/// The dtype that this word means in a cast, or empty.
std::string_view dtype_of(std::string_view word) {
    for (const Row& each : types)
        if (each.theirs == word) return each.ours;
    return base::dtype_named(word) ? word : std::string_view();
}

std::string cast_to(std::string_view dtype, std::string_view what) {
    return fmt::format("a conversion is written cast<{}>({})", dtype, what);
}

/// Behind `(` a type and `)`: what is converted, when it is a name.
std::string_view converted(const Token& behind) { return behind.is_name() ? behind.text : "X"; }

/// `bf16(X)` and `(bf16)X` at `bf16`.
std::string conversion(const Token& type) {
    const std::string_view dtype = dtype_of(type.text);
    const Token& next = (&type)[1];
    if (dtype.empty() || type.kind == Token::Kind::end) return "";
    if (next.is("(")) return cast_to(dtype, converted((&next)[1]));
    if (next.is(")") && next.partner == &type - 1) return cast_to(dtype, converted((&next)[1]));
    return "";
}

} // namespace

std::string habit(const Mistake& mistake) {
    const Token& found = *mistake.found;
    if (found.kind == Token::Kind::end || mistake.before == nullptr) return "";
    const Token& before = *mistake.before;
    const std::string_view what = mistake.what;
    if (what == "a value") return conversion(found);
    if (before.is(")") && what == "`;`" && before.partner != nullptr && before.partner + 2 == &before)
        if (const auto dtype = dtype_of((&before)[-1].text); !dtype.empty())
            return cast_to(dtype, converted(found)); // (float)X
    if (found.is("."))
        for (const Row& each : places_of_cuda)
            if (each.theirs == before.text) return std::string(each.ours);
    if (found.is("[") && before.is("]")) return "all extents stand in one pair of brackets: f32[128, 32]";
    if (found.is("(") && before.is("sync")) return "it has no brackets: sync;";
    if (found.is("(") && what == "`..`") return "a loop is written: for c in 0..4 { }";
    if (what == "`;`" && (before.is("ld") || before.is("st")) && (found.is("ld") || found.is("st")))
        return fmt::format("a comma stands between them: wait {}, {};", before.text, found.text);
    if (what == "`=`" && found.is_name() && (!dtype_of(before.text).empty() || before.is("auto")))
        return fmt::format("a constant has no type: const {} = 8;", found.text);
    return "";
}

} // namespace tmemc::grammar
