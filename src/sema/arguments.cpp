// One function per kind of parameter. Scalars come first: extents and pitches depend on them.
#include "sema/arguments.hpp"

#include "sema/arithmetic.hpp"
#include "sema/copies.hpp"
#include "sema/regions.hpp"
#include "sema/slot_pairs.hpp"
#include "sema/vectors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <type_traits>

namespace tmemc::sema {

namespace catalogue = base::catalogue;

namespace {

using Kind = Symbol::Kind;

/// A size: a number, or the caller's parameter that gives it.
struct Size {
    std::int64_t value = 0;
    std::optional<std::size_t> from;
    bool operator==(const Size&) const = default;
};

std::string text_of(const layout::Cell& cell) {
    return fmt::format("lane {}, column {}{}", cell.lane, cell.column,
                       cell.bit == 0 ? "" : fmt::format(" from bit {}", cell.bit));
}
std::string text_of(const layout::Slot& slot) { return slot_text(slot); }
int shifted(const layout::Cell& cell) { return cell.column; }
int shifted(const layout::Slot& slot) { return slot.reg; }
bool same_line(const layout::Cell& a, const layout::Cell& b) { return a.lane == b.lane && a.bit == b.bit; }
bool same_line(const layout::Slot& a, const layout::Slot& b) {
    return a.thread == b.thread && a.bit == b.bit;
}

class Binder {
  public:
    Binder(Draft& draft, const ast::Call& call, const Function& function)
        : draft_(draft), call_(call), callee_(function.kernel), bound_(callee_.parameters.size()),
          fits_(draft.brought[&function].fits) {}

    std::optional<std::vector<Argument>> bind() {
        const std::size_t wanted = callee_.parameters.size(), given = call_.arguments.size();
        if (wanted != given) {
            draft_.env.reports
                .report(catalogue::wrong_argument_count, call_.place, callee_.name, static_cast<int>(wanted),
                        wanted == 1 ? "" : "s", static_cast<int>(given))
                .label(callee_.span, "declared here");
            return std::nullopt;
        }
        for (std::size_t i = 0; i < wanted; ++i)
            if (const auto* scalar = std::get_if<Scalar>(&callee_.parameters[i])) bind(i, *scalar);
        for (std::size_t i = 0; i < wanted && scalars_fit_; ++i) {
            if (const auto* tensor = std::get_if<Tensor>(&callee_.parameters[i])) bind(i, *tensor);
            if (const auto* tmem = std::get_if<TmemParameter>(&callee_.parameters[i])) bind(i, *tmem);
            if (const auto* frag = std::get_if<FragmentParameter>(&callee_.parameters[i])) bind(i, *frag);
        }
        if (!failed_) refuse_overlap();
        if (failed_) return std::nullopt;
        return std::move(bound_);
    }

  private:
    // ---- scalars

    void bind(std::size_t i, const Scalar& scalar) {
        const ast::Value& value = call_.arguments[i];
        const auto* region = sole<ast::Region>(value);
        const Symbol* symbol = region ? draft_.env.names.find(region->object.text) : nullptr;
        Step& step = bound_[i].scalar;
        step.dtype = scalar.dtype;
        if (symbol && symbol->kind == Kind::failed) return fail();
        if (symbol && symbol->kind == Kind::scalar && !region->slices) {
            const auto index = static_cast<std::size_t>(symbol->value);
            const auto& given = std::get<Scalar>(draft_.kernel.parameters[index]);
            step.what = Step::What::scalar;
            step.parameter = index;
            if (given.dtype == scalar.dtype) return;
            wrong(i, scalar, fmt::format("of type {}", base::name(scalar.dtype)),
                  std::string(base::name(given.dtype)));
            return;
        }
        step.what = Step::What::number;
        const std::size_t errors = draft_.env.reports.errors();
        const bool object = symbol && symbol->kind != Kind::constant && symbol->kind != Kind::scalar;
        const auto bits = object ? std::nullopt : constant_bits(draft_, value, scalar.dtype);
        if (bits) {
            step.bits = *bits;
            return;
        }
        if (draft_.env.reports.errors() == errors)
            wrong(i, scalar, "a scalar, given as a number or as a scalar parameter",
                  symbol ? what(symbol->kind) : "an expression");
        fail();
    }
    void fail() { failed_ = true, scalars_fit_ = false; }

    // ---- objects

    /// The object's region that the argument is, of that kind and element type.
    template <class Object>
    std::optional<Selection> object(std::size_t i, const Object& parameter, Kind kind, Dtype dtype) {
        const auto* region = sole<ast::Region>(call_.arguments[i]);
        const Symbol* symbol = region ? draft_.env.names.find(region->object.text) : nullptr;
        if (region && (!symbol || symbol->kind == Kind::failed)) {
            failed_ = true;
            if (!symbol) (void)draft_.env.names.object(region->object); // says that it is unknown
            return std::nullopt;
        }
        if (!region || symbol->kind != kind) {
            wrong(i, parameter, what(kind), region ? std::string(what(symbol->kind)) : "an expression");
            return std::nullopt;
        }
        auto selected = kind == Kind::tensor && !region->slices ? all_of(*symbol, *region)
                                                                : select(draft_, *region, Place::argument);
        if (!selected || !selected->region) {
            failed_ = true;
            return std::nullopt;
        }
        if (selected->dtype == dtype) return selected;
        differs(i, *selected, parameter,
                fmt::format("it is {}, not {}", base::name(selected->dtype), base::name(dtype)));
        return std::nullopt;
    }

    /// A whole tensor, whose extents may be known at run time only.
    [[nodiscard]] std::optional<Selection> all_of(const Symbol& symbol, const ast::Region& region) const {
        const auto index = static_cast<std::size_t>(symbol.value);
        const auto& tensor = std::get<Tensor>(draft_.kernel.parameters[index]);
        const bool two = tensor.extents.size() == 2;
        Selection made{symbol,         tensor.name, tensor.dtype, tensor.span, {},
                       tensor.extents, true,        false,        false};
        made.region = Region{index,
                             0,
                             0,
                             two ? static_cast<int>(tensor.extents[0]) : 1,
                             static_cast<int>(tensor.extents.back()),
                             region.place,
                             {},
                             {}};
        return made;
    }

    // ---- tensors

    void bind(std::size_t i, const Tensor& tensor) {
        if (tensor.name.empty()) return void(failed_ = true);
        const auto selected = object(i, tensor, Kind::tensor, tensor.dtype);
        if (!selected) return;
        const auto& given = std::get<Tensor>(draft_.kernel.parameters[selected->region->object]);
        const std::vector<Size> has = sizes(*selected, given), wanted = sizes(tensor);
        if (has != wanted)
            return differs(i, *selected, tensor,
                           fmt::format("its extents are [{}], not [{}]", text(has), text(wanted)));
        if (tensor.pitch_from) {
            const Size pitch{given.pitch, given.pitch_from}, told = size_from(*tensor.pitch_from);
            if (pitch != told)
                return differs(i, *selected, tensor,
                               fmt::format("its pitch is {}, not {}", text({pitch}), text({told})));
        }
        const bool reads = tensor.direction != Direction::out, writes = tensor.direction != Direction::in;
        const bool may = (!reads || may_read(draft_, *selected, selected->region->span)) &&
                         (!writes || may_write(draft_, *selected, selected->region->span));
        failed_ = failed_ || !may;
        Argument& argument = bound_[i];
        argument.region = *selected->region;
        const Region& region = argument.region;
        argument.upright = has.size() == 1 && region.rows > 1;
        const bool two = given.extents.size() == 2;
        argument.all_rows = !two || all(region.row, region.row_base, region.rows, given.extents.front());
        argument.all_cols = all(region.col, region.col_base, region.cols, given.extents.back());
    }
    static bool all(int from, const Base& base, int width, std::int64_t extent) {
        return from == 0 && base.step == 0 && width == extent;
    }

    [[nodiscard]] static std::vector<Size> sizes(const Selection& selected, const Tensor& given) {
        std::vector<Size> list;
        for (const std::int64_t extent : selected.extents) list.push_back({extent, {}});
        if (selected.whole) list.front().from = given.extent_from;
        return list;
    }
    /// The parameter's, as the call has them.
    [[nodiscard]] std::vector<Size> sizes(const Tensor& tensor) const {
        std::vector<Size> list;
        for (const std::int64_t extent : tensor.extents) list.push_back({extent, {}});
        if (tensor.extent_from) list.front() = size_from(*tensor.extent_from);
        return list;
    }
    [[nodiscard]] Size size_from(std::size_t parameter) const {
        const Step& step = bound_[parameter].scalar;
        if (step.what == Step::What::number) return {step.bits, {}};
        return {0, step.parameter};
    }
    [[nodiscard]] std::string text(const std::vector<Size>& sizes) const {
        std::vector<std::string> list;
        list.reserve(sizes.size());
        for (const Size& each : sizes)
            list.push_back(each.from ? std::get<Scalar>(draft_.kernel.parameters[*each.from]).name
                                     : std::to_string(each.value));
        return fmt::format("{}", fmt::join(list, ", "));
    }

    // ---- tensor memory and fragments

    void bind(std::size_t i, const TmemParameter& parameter) {
        if (parameter.buffer == no_object) return void(failed_ = true);
        const Buffer& buffer = callee_.buffers[parameter.buffer];
        const auto selected = object(i, parameter, Kind::buffer, buffer.dtype);
        if (!selected) return;
        const Buffer& given = draft_.kernel.buffers[selected->region->object];
        const auto shift =
            fit(i, *selected, parameter, callee_.cells(buffer), draft_.kernel.cells(given), given.image);
        if (!shift) return;
        if (callee_.buffer_images[buffer.image].unpacked != draft_.kernel.buffer_images[given.image].unpacked)
            return differs(i, *selected, parameter, "one of them is `unpacked`, and the other is not");
        may_change(*selected, parameter.direction);
        bound_[i].region = *selected->region;
        bound_[i].shift = *shift;
    }
    void bind(std::size_t i, const FragmentParameter& parameter) {
        if (parameter.fragment == no_object) return void(failed_ = true);
        const Fragment& fragment = callee_.fragments[parameter.fragment];
        const auto selected = object(i, parameter, Kind::fragment, fragment.dtype);
        if (!selected) return;
        if (selected->extents != fragment.extents())
            return differs(i, *selected, parameter,
                           fmt::format("its extents are [{}], not [{}]", to_string(selected->extents),
                                       to_string(fragment.extents())));
        const Fragment& given = draft_.kernel.fragments[selected->region->object];
        if (!fit(i, *selected, parameter, callee_.slots(fragment), draft_.kernel.slots(given), given.image))
            return;
        may_change(*selected, parameter.direction);
        bound_[i].region = *selected->region;
    }
    void may_change(const Selection& selected, Direction direction) {
        if (direction == Direction::in) return;
        failed_ = !may_write(draft_, selected, selected.region->span) || failed_;
    }

    /// By how many columns the region lies behind what the parameter says, or 0 for registers, which may be
    /// any others in the same order. Nothing after reporting the first element that breaks the pattern.
    template <class Parameter, class Place>
    std::optional<int> fit(std::size_t i, const Selection& selected, const Parameter& parameter,
                           const layout::TileMap<Place>& wanted, const layout::TileMap<Place>& given,
                           std::size_t image) {
        const Region& region = *selected.region;
        if (region.rows != wanted.rows || region.cols != wanted.cols) {
            differs(i, selected, parameter,
                    fmt::format("it has {} by {} elements, not {} by {}", region.rows, region.cols,
                                wanted.rows, wanted.cols));
            return std::nullopt;
        }
        if (wanted.copies != given.copies) {
            differs(i, selected, parameter,
                    fmt::format("it holds each element {} times, not {}", given.copies, wanted.copies));
            return std::nullopt;
        }
        const std::array key{i, image, static_cast<std::size_t>(region.row),
                             static_cast<std::size_t>(region.col)};
        if (const auto known = fits_.find(key); known != fits_.end()) return known->second;
        constexpr bool cells = std::is_same_v<Place, layout::Cell>;
        std::optional<int> shift; // of cells
        std::vector<int> at(
            static_cast<std::size_t>(wanted.words)); // by register of the parameter: 1 + its own
        for (int r = 0; r < wanted.rows; ++r)
            for (int c = 0; c < wanted.cols; ++c)
                for (int k = 0; k < wanted.copies; ++k) {
                    const Place& its = given.at(region.row + r, region.col + c, k);
                    const Place& mine = wanted.at(r, c, k);
                    int& word = at[static_cast<std::size_t>(shifted(mine))];
                    if (word == 0) word = 1 + shifted(its);
                    const int apart = shifted(its) - shifted(mine);
                    if (!shift) shift = cells ? apart : 0;
                    const bool fits = cells ? apart == *shift && apart >= 0 : word == 1 + shifted(its);
                    if (fits && same_line(its, mine)) continue;
                    differs(i, selected, parameter, "they are spread in different ways",
                            fmt::format("row {}, column {} of it lies in {}; `{}` has it in {}{}", r, c,
                                        text_of(its), parameter.name, text_of(mine),
                                        *shift == 0 ? "" : fmt::format(", and begins {} on", *shift)));
                    return std::nullopt;
                }
        at.erase(std::remove(at.begin(), at.end(), 0), at.end()); // registers that nothing lies in
        if (std::adjacent_find(at.begin(), at.end(), std::greater_equal<>()) == at.end())
            return fits_.emplace(key, *shift).first->second;
        differs(i, selected, parameter, "its registers come in another order");
        return std::nullopt;
    }

    /// Two fragments that share elements, of which one is written, would be one thing under two names.
    void refuse_overlap() {
        for (std::size_t i = 0; i < bound_.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                const auto* a = std::get_if<FragmentParameter>(&callee_.parameters[j]);
                const auto* b = std::get_if<FragmentParameter>(&callee_.parameters[i]);
                if (!a || !b || (a->direction == Direction::in && b->direction == Direction::in)) continue;
                const Region &first = bound_[j].region, &second = bound_[i].region;
                const auto meet = [](int x, int x_count, int y, int y_count) {
                    return x < y + y_count && y < x + x_count;
                };
                if (first.object != second.object || !meet(first.row, first.rows, second.row, second.rows) ||
                    !meet(first.col, first.cols, second.col, second.cols))
                    continue;
                draft_.env.reports
                    .report(catalogue::arguments_overlap, call_.place, a->name, b->name, callee_.name)
                    .label(callee_.span, "declared here")
                    .help("give one of them a fragment of its own");
                failed_ = true;
            }
    }

    // ---- mistakes

    template <class Parameter>
    void wrong(std::size_t i, const Parameter& parameter, std::string_view wanted, std::string_view found) {
        failed_ = true;
        draft_.env.reports
            .report(catalogue::wrong_argument, call_.arguments[i].place, parameter.name, callee_.name, wanted,
                    found)
            .label(parameter.span, "declared here");
    }
    template <class Parameter>
    void differs(std::size_t i, const Selection& selected, const Parameter& parameter, std::string_view how,
                 std::string note = "") {
        failed_ = true;
        base::Diagnostic& report =
            draft_.env.reports
                .report(catalogue::argument_differs, call_.arguments[i].place, selected.name, parameter.name,
                        callee_.name, how)
                .label(parameter.span, fmt::format("`{}` is declared here", parameter.name))
                .label(selected.declared, fmt::format("`{}` is declared here", selected.name));
        if (!note.empty()) report.note(std::move(note));
        report.help(
            fmt::format("pass what has the element type, extents and layout of the parameter, or declare "
                        "the parameter as `{}` is",
                        selected.name));
    }

    Draft& draft_;
    const ast::Call& call_;
    const Kernel& callee_;
    std::vector<Argument> bound_;
    std::map<std::array<std::size_t, 4>, int>& fits_; // by parameter, image, row and column: the shift
    bool failed_ = false, scalars_fit_ = true;
};

} // namespace

std::optional<std::vector<Argument>> arguments_of(Draft& draft, const ast::Call& call,
                                                  const Function& function) {
    return Binder(draft, call, function).bind();
}

} // namespace tmemc::sema
