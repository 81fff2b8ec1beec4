// One copy statement at a time: kinds, element types, directions, extents.
#include "sema/copies.hpp"

#include "atlas/limits.hpp"
#include "grammar/print.hpp"
#include "sema/regions.hpp"
#include "sema/shapes.hpp"

#include <fmt/format.h>

namespace tmemc::sema {

namespace catalogue = base::catalogue;
using Kind = Symbol::Kind;

namespace {

/// Both sides of a copy whose names mean objects.
struct Sides {
    Selection target, source;
    [[nodiscard]] bool both(Kind kind) const {
        return target.symbol.kind == kind && source.symbol.kind == kind;
    }
    /// The side of that kind, the target first; null when neither is.
    [[nodiscard]] const Selection* side(Kind kind) const {
        return target.symbol.kind == kind ? &target : source.symbol.kind == kind ? &source : nullptr;
    }
};

std::optional<Sides> sides_of(Draft& draft, const ast::Region& target, const ast::Region& source,
                              bool masked = false) {
    const Place place = masked ? Place::masked_copy : Place::copy;
    auto to = select(draft, target, place);
    auto from = select(draft, source, place);
    if (!to || !from) return std::nullopt;
    return Sides{std::move(*to), std::move(*from)};
}

// ---- kinds
// -------------------------------------------------------------------------------------------------------

/// "X <- A[0:64, :]", as it was written.
template <class Copy>
std::string moved(const Copy& copy) {
    return fmt::format("{} <- {}", grammar::print(copy.target), grammar::print(copy.source));
}

/// True when copy_async moves between these kinds: one tmem buffer and one fragment.
bool kinds_of_async(Draft& draft, const Sides& sides, const ast::CopyAsync& copy) {
    const Span span = copy.place;
    const std::string& to = sides.target.name;
    const std::string& from = sides.source.name;
    if (const Selection* tensor = sides.side(Kind::tensor)) {
        base::Diagnostic& wrong =
            draft.env.reports.report(catalogue::tensor_in_copy_async, span, tensor->name)
                .label(tensor->declared, fmt::format("`{}` is declared here", tensor->name));
        if (sides.side(Kind::fragment))
            wrong.help(fmt::format("between a tensor and a fragment use `copy`: copy {};", moved(copy)));
        else
            wrong.help(fmt::format("go through a fragment X: copy X <- A; moves a tensor to registers, "
                                   "copy_async T <- X; registers to tensor memory"));
        return false;
    }
    if (sides.both(Kind::buffer)) {
        label_declarations(draft.env.reports.report(catalogue::tmem_to_tmem, span, to, from), sides.target,
                           sides.source)
            .help(fmt::format("go through a fragment X: copy_async X <- {}; wait ld; copy_async {} <- X;",
                              grammar::print(copy.source), grammar::print(copy.target)));
        return false;
    }
    if (!sides.both(Kind::fragment)) return true;
    label_declarations(draft.env.reports.report(catalogue::frag_to_frag, span, to, from), sides.target,
                       sides.source)
        .help("`copy_async` moves between a tmem buffer and a fragment");
    return false;
}

/// True when copy moves between these kinds: one tensor and one fragment.
bool kinds_of_copy(Draft& draft, const Sides& sides, const ast::Copy& copy) {
    const Span span = copy.place;
    const std::string& to = sides.target.name;
    const std::string& from = sides.source.name;
    if (const Selection* buffer = sides.side(Kind::buffer)) {
        base::Diagnostic& wrong =
            draft.env.reports.report(catalogue::tmem_in_copy, span, buffer->name)
                .label(buffer->declared, fmt::format("`{}` is declared here", buffer->name));
        if (sides.side(Kind::tensor))
            wrong.help(fmt::format(
                "go through a fragment X: copy_async moves between `{}` and X, copy between X and "
                "`{}`",
                buffer->name, sides.side(Kind::tensor)->name));
        else
            wrong.help(fmt::format("use `copy_async`: copy_async {};", moved(copy)));
        return false;
    }
    if (sides.both(Kind::tensor)) {
        label_declarations(draft.env.reports.report(catalogue::tensor_to_tensor, span, to, from),
                           sides.target, sides.source)
            .help(fmt::format("go through a fragment X: copy X <- {}; copy {} <- X;",
                              grammar::print(copy.source), grammar::print(copy.target)));
        return false;
    }
    if (!sides.both(Kind::fragment)) return true;
    label_declarations(draft.env.reports.report(catalogue::frag_to_frag, span, to, from), sides.target,
                       sides.source)
        .help("`copy` moves between a tensor and a fragment");
    return false;
}

// ---- element types, directions, extents
// --------------------------------------------------------------------------

bool has_numbers(Dtype dtype) { return base::row(dtype).kind != base::DtypeClass::raw_bits; }

bool same_dtypes(Draft& draft, const Sides& sides, Span span) {
    const Selection& to = sides.target;
    const Selection& from = sides.source;
    if (to.dtype == from.dtype) return true;
    const auto wanted = base::name(to.dtype);
    const auto given = base::name(from.dtype);
    base::Diagnostic& differ =
        draft.env.reports.report(catalogue::dtypes_differ, span, to.name, wanted, from.name, given);
    label_declarations(differ, to, from);
    const Selection* fragment = sides.side(Kind::fragment);
    const Dtype theirs = fragment == &to ? from.dtype : to.dtype;
    if (fragment != nullptr && has_numbers(to.dtype) && has_numbers(from.dtype))
        differ.help(fmt::format("copy with a fragment of {} and cast: {}", base::name(theirs),
                                fragment == &to ? fmt::format("{} = cast<{}>(THAT);", to.name, wanted)
                                                : fmt::format("THAT = cast<{}>({});", wanted, from.name)));
    differ.help(fmt::format(
        "declare both sides with one dtype; bits of another meaning can be read through a `tmem` alias: "
        "tmem V: {}[...] at ...;",
        wanted));
    return false;
}

bool directions_allow(Draft& draft, const Sides& sides, Span span) {
    const Selection& tensor = *sides.side(Kind::tensor);
    const bool writes = sides.target.symbol.kind == Kind::tensor;
    return writes ? may_write(draft, tensor, span) : may_read(draft, tensor, span);
}

/// True when both sides select as much, dimension by dimension. Tensor-memory copies whose rectangles differ
/// pass: src/match refuses them, and can then name the first element out of reach and the row count that
/// would fit.
bool same_extents(Draft& draft, const Sides& sides, Span span) {
    const Selection& to = sides.target;
    const Selection& from = sides.source;
    if (!to.region || !from.region) return false;
    const bool same_rectangle = to.region->rows == from.region->rows && to.region->cols == from.region->cols;
    if (to.extents != from.extents) {
        if (sides.side(Kind::buffer) && !same_rectangle) return true;
        label_declarations(draft.env.reports.report(catalogue::extents_differ, span, to.name,
                                                    to_string(to.extents), from.name,
                                                    to_string(from.extents)),
                           to, from)
            .help("a copy needs the same extents on both sides; a point such as `3` removes its dimension, "
                  "`3:4` keeps "
                  "it");
        return false;
    }
    if (same_rectangle || sides.side(Kind::tensor)) return true;
    draft.env.reports.report(catalogue::not_supported, span, "a copy between a row and a column")
        .help("copy a row to a row, or a column to a column");
    return false;
}

/// The `in` parameter that an object is or lies in; null when there is none.
const Parameter* in_parameter(const Kernel& kernel, const Symbol& symbol) {
    const auto index = static_cast<std::size_t>(symbol.value);
    for (const Parameter& each : kernel.parameters) {
        const auto* tensor = std::get_if<Tensor>(&each);
        const auto* tmem = std::get_if<TmemParameter>(&each);
        const auto* frag = std::get_if<FragmentParameter>(&each);
        if (symbol.kind == Kind::tensor && tensor && &each == &kernel.parameters[index])
            return tensor->direction == Direction::in ? &each : nullptr;
        if (symbol.kind == Kind::buffer && tmem && tmem == kernel.parameter_of_buffer(index))
            return tmem->direction == Direction::in ? &each : nullptr;
        if (symbol.kind == Kind::fragment && frag && frag->fragment == index)
            return frag->direction == Direction::in ? &each : nullptr;
    }
    return nullptr;
}

} // namespace

bool may_read(Draft& draft, const Selection& tensor, Span span) {
    const auto& parameter =
        std::get<Tensor>(draft.kernel.parameters[static_cast<std::size_t>(tensor.symbol.value)]);
    if (parameter.direction != Direction::out) return true;
    draft.env.reports.report(catalogue::read_of_out, span, tensor.name)
        .label(tensor.declared, "declared `out` here")
        .help(fmt::format("declare it `in {0}`, or `inout {0}` when the kernel writes it too", tensor.name));
    return false;
}

bool may_write(Draft& draft, const Selection& target, Span span) {
    const Parameter* parameter = in_parameter(draft.kernel, target.symbol);
    if (!parameter) return true;
    const auto [name, declared] = std::visit(
        [](const auto& each) { return std::pair<std::string_view, Span>(each.name, each.span); }, *parameter);
    const bool tmem = std::holds_alternative<TmemParameter>(*parameter),
               frag = std::holds_alternative<FragmentParameter>(*parameter);
    const std::string object = fmt::format("{}{}", tmem ? "tmem " : frag ? "frag " : "", name);
    draft.env.reports.report(catalogue::write_to_in, span, name)
        .label(declared, tmem ? "a tmem parameter is `in` when it says nothing else" : "declared `in` here")
        .help(fmt::format("declare it `out {0}`, or `inout {0}` when it is read too", object));
    return false;
}

void needs_warpgroup(Draft& draft, std::string_view word, Span span) {
    if (!draft.warp) return;
    draft.env.reports.report(catalogue::needs_warpgroup, span, word, *draft.warp)
        .help(fmt::format("move it out of `on warp`, or into `on warpgroup {}`",
                          *draft.warp / atlas::warps_per_group));
}

void check(Draft& draft, const ast::CopyAsync& copy) {
    needs_warpgroup(draft, "copy_async", copy.place);
    const auto sides = sides_of(draft, copy.target, copy.source);
    if (!sides || !kinds_of_async(draft, *sides, copy)) return;
    const bool dtypes = same_dtypes(draft, *sides, copy.place);
    const bool extents = same_extents(draft, *sides, copy.place);
    if (!dtypes || !extents || !may_write(draft, sides->target, copy.place)) return;
    const bool store = sides->target.symbol.kind == Kind::buffer;
    draft.emit(TmemCopy{store ? TmemCopy::Op::st : TmemCopy::Op::ld, *sides->side(Kind::buffer)->region,
                        *sides->side(Kind::fragment)->region},
               copy.place);
}

void check(Draft& draft, const ast::Copy& copy) {
    needs_warpgroup(draft, "copy", copy.place);
    bool modes = given_once(draft.env, copy.modes);
    GlobalCopy result;
    for (const ast::Name& mode : copy.modes) {
        if (mode.text == "masked") {
            result.masked = true;
            continue;
        }
        const bool direct = mode.text == "direct";
        const auto path = direct ? GlobalCopy::Path::direct : GlobalCopy::Path::staged;
        if (result.path != GlobalCopy::Path::choose && result.path != path) {
            draft.env.reports
                .report(catalogue::excluded_attribute, mode.place, mode.text, direct ? "staged" : "direct")
                .help("write one of them, or neither, and the compiler chooses");
            modes = false;
        }
        result.path = path;
    }
    const auto sides = sides_of(draft, copy.target, copy.source, result.masked);
    if (!sides || !kinds_of_copy(draft, *sides, copy)) return;
    const bool dtypes = same_dtypes(draft, *sides, copy.place);
    const bool directions = directions_allow(draft, *sides, copy.place);
    const bool writable =
        sides->target.symbol.kind != Kind::fragment || may_write(draft, sides->target, copy.place);
    const bool extents = same_extents(draft, *sides, copy.place);
    if (!modes || !dtypes || !directions || !writable || !extents) return;
    result.op = sides->target.symbol.kind == Kind::fragment ? GlobalCopy::Op::load : GlobalCopy::Op::store;
    result.tensor = *sides->side(Kind::tensor)->region;
    result.rows_leave = sides->side(Kind::tensor)->rows_leave;
    result.cols_leave = sides->side(Kind::tensor)->cols_leave;
    result.fragment = *sides->side(Kind::fragment)->region;
    draft.emit(result, copy.place);
}

} // namespace tmemc::sema
