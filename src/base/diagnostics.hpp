// What the compiler has to say. A kind of diagnostic is one row of diagnostics.def: a stable code, a format
// and the types of its arguments, checked at compile time. A stage collects Diagnostics beside its result and
// goes on, so one run reports every independent mistake; nothing is printed here and nothing is thrown.
//
//     Diagnostics out;
//     out.report(catalogue::unknown_name, span, "frag", "Y")
//        .label(other_span, "did you mean this one?")
//        .help("declare it: frag Y: f32[128, 8];");
//
// Not here: how a diagnostic looks on a terminal or as JSON (render.hpp).
#pragma once

#include "base/picture.hpp"
#include "base/source.hpp"

#include <fmt/core.h>

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tmemc::base {

enum class Severity : std::uint8_t { error, warning, note };

/// What every diagnostic of one kind has in common.
struct Kind {
    std::string_view code; // "TM0201": stable, never reused
    std::string_view name; // "unknown_name": the row's identifier
    Severity severity = Severity::error;
    std::string_view flag;   // of a warning, the NAME of -Wno-NAME and -Werror=NAME; else empty
    std::string_view format; // fmt syntax
};

/// A kind with the types of its format's arguments.
template <class... Arguments>
struct TypedKind : Kind {};

namespace catalogue {
// The format is checked against the argument types while this header compiles.
#define TMEMC_DIAGNOSTIC_ROW(identifier, code, severity, flag, format, ...)                                  \
    inline constexpr fmt::format_string<__VA_ARGS__> identifier##_format{format};                            \
    inline constexpr TypedKind<__VA_ARGS__> identifier{{code, #identifier, Severity::severity, flag, format}};
#define TMEMC_ERROR(identifier, code, format, ...)                                                           \
    TMEMC_DIAGNOSTIC_ROW(identifier, code, error, "", format __VA_OPT__(, ) __VA_ARGS__)
#define TMEMC_WARNING(identifier, code, flag, format, ...)                                                   \
    TMEMC_DIAGNOSTIC_ROW(identifier, code, warning, flag, format __VA_OPT__(, ) __VA_ARGS__)
#include "base/diagnostics.def"
#undef TMEMC_ERROR
#undef TMEMC_WARNING
#undef TMEMC_DIAGNOSTIC_ROW
} // namespace catalogue

/// Every kind, in the order of diagnostics.def.
[[nodiscard]] const std::vector<const Kind*>& all_kinds();

/// A second place that a diagnostic speaks of, with what there is to say of it.
struct Label {
    Span span;
    std::string text;
    bool operator==(const Label&) const = default;
};

struct Diagnostic {
    const Kind* kind = nullptr;
    Severity severity = Severity::error; // the kind's, unless a flag such as -Werror raised it
    Span span;
    std::string message;
    std::vector<Label> labels;
    std::vector<std::string> notes; // in the order to be shown, after the labels
    std::vector<std::string> helps; // what would work
    std::optional<Picture> picture; // shown between notes and helps

    Diagnostic& label(Span where, std::string text);
    Diagnostic& note(std::string text);
    Diagnostic& help(std::string text);
    bool operator==(const Diagnostic&) const = default;
};

/// The diagnostics of one stage or one run, in the order they were found.
struct Diagnostics {
    std::vector<Diagnostic> list;

    template <class... Arguments>
    Diagnostic& report(const TypedKind<Arguments...>& kind, Span span,
                       const std::type_identity_t<Arguments>&... arguments) {
        return add(kind, span, fmt::format(fmt::runtime(kind.format), arguments...));
    }
    [[nodiscard]] bool has_errors() const;
    /// Appends what a later stage found.
    void append(Diagnostics more);
    bool operator==(const Diagnostics&) const = default;

  private:
    Diagnostic& add(const Kind& kind, Span span, std::string message);
};

} // namespace tmemc::base
