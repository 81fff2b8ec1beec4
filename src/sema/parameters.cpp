// Tensors have extents, pitch and alignment; a function's tmem and frag parameters are declared like objects.
#include "sema/parameters.hpp"

#include "base/tensor_limits.hpp"
#include "sema/constants.hpp"
#include "sema/declarations.hpp"
#include "sema/shapes.hpp"

#include <fmt/format.h>

namespace tmemc::sema {

namespace catalogue = base::catalogue;

namespace {

constexpr std::int64_t default_align = 32; // bytes (language reference, "Copies")
constexpr std::int64_t max_align = 256;    // what cudaMalloc gives

Direction direction_of(const ast::Name& word) {
    return word.text == "in" ? Direction::in : word.text == "out" ? Direction::out : Direction::inout;
}

/// The scalar parameter that `expr` consists of, or null: `n` in f32[n, 8].
const Symbol* lone_scalar(const Environment& env, const ast::Expr& expr) {
    if (!expr.rest.empty() || !expr.first.rest.empty()) return nullptr;
    const auto* name = std::get_if<ast::Name>(&expr.first.first.node);
    const Symbol* symbol = name ? env.names.find(name->text) : nullptr;
    return symbol && symbol->kind == Symbol::Kind::scalar ? symbol : nullptr;
}

/// A size that is a number, or else (0 then) the scalar parameter that gives it at run time.
struct Size {
    std::int64_t value = 0;
    std::optional<std::size_t> from;
};

/// A size that a parameter gives; nothing when `expr` is no lone parameter, or after reporting one that is
/// not u32, which `failed` tells.
std::optional<Size> run_time_size(Draft& draft, const ast::Expr& expr, bool& failed) {
    const Symbol* symbol = lone_scalar(draft.env, expr);
    if (!symbol) return std::nullopt;
    const auto index = static_cast<std::size_t>(symbol->value);
    const Scalar& scalar = std::get<Scalar>(draft.kernel.parameters[index]);
    if (scalar.dtype == Dtype::u32) return Size{0, index};
    failed = true;
    draft.env.reports.report(catalogue::bad_run_time_size, expr.place, fmt::format("`{}`", scalar.name))
        .label(symbol->span, fmt::format("it is {}", base::name(scalar.dtype)))
        .help(fmt::format("declare it as `{}: u32`", scalar.name));
    return std::nullopt;
}

/// The extents of a tensor, one or two, or nothing after reporting.
std::optional<std::vector<Size>> extents_of(Draft& draft, const ast::TensorParameter& parameter) {
    const std::vector<ast::Expr>& written = parameter.tensor.extents;
    std::vector<Size> extents;
    for (const ast::Expr& each : written) {
        bool failed = false;
        const auto given = &each == &written.front() ? run_time_size(draft, each, failed) : std::nullopt;
        if (given)
            extents.push_back(*given);
        else if (const auto extent = failed ? std::nullopt : extent_of(draft.env, parameter.name.text, each))
            extents.push_back({*extent, {}});
    }
    if (written.size() > 2) {
        draft.env.reports.report(catalogue::wrong_dimensions, parameter.tensor.place, parameter.name.text,
                                 written.size(), "s", "a tensor", "one or two");
        return std::nullopt;
    }
    if (extents.size() != written.size()) return std::nullopt;
    return extents;
}

/// Elements from row to row, or nothing after reporting.
std::optional<Size> pitch_of(Draft& draft, const ast::TensorParameter& parameter,
                             const std::vector<Size>& extents) {
    const ast::Attribute* pitch = attribute(parameter.attributes, AttributeKind::pitch);
    if (!pitch) return Size{extents.back().value, {}};
    const auto& expr = std::get<ast::Expr>(pitch->value.node);
    bool failed = false;
    const auto given = run_time_size(draft, expr, failed);
    if (failed) return std::nullopt;
    const auto value = given ? std::optional<std::int64_t>(extents.back().value) : evaluate(draft.env, expr);
    if (!value) return std::nullopt;
    if (extents.size() == 1) {
        draft.env.reports.report(catalogue::pitch_without_rows, pitch->place, parameter.name.text);
        return std::nullopt;
    }
    if (given) return given;
    if (*value >= extents.back().value) return Size{*value, {}};
    draft.env.reports.report(catalogue::pitch_too_small, expr.place, *value, extents.back().value,
                             parameter.name.text);
    return std::nullopt;
}

/// Bytes that the pointer is a multiple of, or nothing after reporting.
std::optional<std::int64_t> align_of(Draft& draft, const ast::TensorParameter& parameter, Dtype dtype) {
    const ast::Attribute* align = attribute(parameter.attributes, AttributeKind::align);
    if (!align) return default_align;
    const auto& expr = std::get<ast::Expr>(align->value.node);
    const auto value = evaluate(draft.env, expr);
    if (!value) return std::nullopt;
    const std::int64_t least = base::bytes(dtype);
    const bool power_of_two = *value > 0 && (*value & (*value - 1)) == 0;
    if (power_of_two && *value >= least && *value <= max_align) return value;
    draft.env.reports.report(catalogue::bad_align, expr.place, *value, base::name(dtype), least, max_align);
    return std::nullopt;
}

/// True when the tensor is small enough to exist.
bool fits_memory(Draft& draft, const ast::TensorParameter& parameter, const Tensor& tensor) {
    std::int64_t bytes = 0;
    const std::int64_t rows = tensor.extents.size() == 2 ? tensor.extents.front() : 1;
    if (!__builtin_mul_overflow(rows, tensor.pitch, &bytes) &&
        !__builtin_mul_overflow(bytes, std::int64_t{base::bytes(tensor.dtype)}, &bytes) &&
        bytes <= base::max_tensor_bytes)
        return true;
    draft.env.reports.report(catalogue::tensor_too_large, parameter.tensor.place, tensor.name);
    return false;
}

std::optional<Tensor> measure(Draft& draft, const ast::TensorParameter& parameter) {
    const bool once = given_once(draft.env, parameter.attributes);
    const Dtype dtype = dtype_of(parameter.tensor.dtype);
    const auto extents = extents_of(draft, parameter);
    if (!once || !extents) return std::nullopt;
    const auto pitch = pitch_of(draft, parameter, *extents);
    const auto align = align_of(draft, parameter, dtype);
    if (!pitch || !align) return std::nullopt;
    Tensor tensor{parameter.name.text,
                  dtype,
                  direction_of(parameter.direction),
                  {},
                  pitch->value,
                  *align,
                  parameter.name.place,
                  extents->front().from,
                  pitch->from};
    for (const Size& each : *extents) tensor.extents.push_back(each.value);
    if (!fits_memory(draft, parameter, tensor)) return std::nullopt;
    return tensor;
}

Direction direction_of(const ast::TmemParameter& parameter) {
    return parameter.direction ? direction_of(*parameter.direction) : Direction::in;
}

/// Declares each parameter at its place in the list. One that proves to be in error keeps its place, and only
/// its name loses its meaning.
class Declaring {
  public:
    explicit Declaring(Draft& draft) : draft_(draft) {}

    void operator()(std::monostate) {}
    void operator()(const ast::ScalarParameter& scalar) {
        draft_.env.names.declare(scalar.name, Symbol::Kind::scalar, index());
        add(Scalar{scalar.name.text, dtype_of(scalar.dtype), scalar.name.place});
    }
    void operator()(const ast::TensorParameter& tensor) { // measured when all scalars are known
        draft_.env.names.declare(tensor.name, Symbol::Kind::tensor, index());
        add(Tensor{});
    }
    void operator()(const ast::TmemParameter& tmem) {
        const ast::Name& name = tmem.object.name;
        const std::size_t buffer = draft_.kernel.buffers.size();
        declare(draft_, tmem.object);
        add(TmemParameter{name.text, direction_of(tmem), declared(buffer, draft_.kernel.buffers),
                          name.place});
    }
    void operator()(const ast::FragParameter& frag) {
        const ast::Name& name = frag.object.name;
        const std::size_t fragment = draft_.kernel.fragments.size();
        declare(draft_, frag.object);
        add(FragmentParameter{name.text, direction_of(frag.direction),
                              declared(fragment, draft_.kernel.fragments), name.place});
    }

  private:
    /// The index of what was declared last, if it could be.
    template <class Object>
    static std::size_t declared(std::size_t index, const std::vector<Object>& objects) {
        return index < objects.size() ? index : no_object;
    }
    [[nodiscard]] std::int64_t index() const {
        return static_cast<std::int64_t>(draft_.kernel.parameters.size());
    }
    void add(Parameter parameter) { draft_.kernel.parameters.push_back(std::move(parameter)); }
    Draft& draft_;
};

template <class Written> // of a kernel or a function
void check_all(Draft& draft, const std::vector<Written>& parameters) {
    for (const Written& each : parameters) std::visit(Declaring(draft), each.node);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const auto* parameter = std::get_if<ast::TensorParameter>(&parameters[i].node);
        if (!parameter) continue;
        if (auto tensor = measure(draft, *parameter))
            draft.kernel.parameters[i] = std::move(*tensor);
        else
            draft.env.names.fail(parameter->name);
    }
}

} // namespace

void check_parameters(Draft& draft, const std::vector<ast::Parameter>& parameters) {
    check_all(draft, parameters);
}

void check_parameters(Draft& draft, const std::vector<ast::FunctionParameter>& parameters) {
    check_all(draft, parameters);
}

} // namespace tmemc::sema
