// The C functions over the C++ values. A handle holds the value; words are looked up in tables of members, so
// that a new option or output is a row. No exception passes: what needs memory says so by its result.
#include "api/tmemc.h"

#include "api/tmemc.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <iterator>
#include <new>
#include <optional>

struct tmemc_options {
    tmemc::api::Options value;
};
struct tmemc_compilation {
    tmemc::api::Result value;
};

namespace {

using namespace tmemc::api;

template <class Member>
struct Row {
    std::string_view name;
    Member member;
};
template <class Member, std::size_t n>
std::optional<Member> find(const Row<Member> (&rows)[n], std::string_view name) {
    for (const Row<Member>& row : rows)
        if (row.name == name) return row.member;
    return std::nullopt;
}

constexpr Row<Kind> kinds[] = {{"ast", Kind::ast},   {"plan", Kind::plan},     {"layout", Kind::layout},
                               {"ptx", Kind::ptx},   {"cubin", Kind::cubin},   {"report", Kind::report},
                               {"cuda", Kind::cuda}, {"header", Kind::header}, {"manifest", Kind::manifest}};
constexpr Row<TensorMemory> memories[] = {{"hardware", TensorMemory::hardware},
                                          {"software", TensorMemory::software},
                                          {"auto", TensorMemory::automatic}};
constexpr Row<std::string Options::*> texts[] = {
    {"name", &Options::name},     {"target", &Options::target}, {"ptxas", &Options::ptxas},
    {"kernel", &Options::kernel}, {"prefix", &Options::prefix}, {"namespace", &Options::name_space}};
constexpr Row<bool Options::*> switches[] = {
    {"auto-wait", &Options::auto_wait}, {"comments", &Options::comments}, {"verify", &Options::verify}};
constexpr Row<std::string Result::*> outputs[] = {
    {"ast", &Result::ast},         {"plan", &Result::plan},     {"layout", &Result::layout},
    {"ptx", &Result::ptx},         {"cubin", &Result::cubin},   {"report", &Result::report},
    {"cuda", &Result::cuda},       {"header", &Result::header}, {"manifest", &Result::manifest},
    {"message", &Result::message}, {"target", &Result::target}};
constexpr Row<std::string Diagnostic::*> parts[] = {
    {"code", &Diagnostic::code},       {"name", &Diagnostic::name}, {"flag", &Diagnostic::flag},
    {"message", &Diagnostic::message}, {"text", &Diagnostic::text}, {"json", &Diagnostic::json}};

constexpr Row<std::string Parameter::*> words_of_all[] = {{"name", &Parameter::name},
                                                          {"type", &Parameter::type}};
constexpr Row<std::string Parameter::*> words_of_tensors[] = {{"direction", &Parameter::direction},
                                                              {"extent-from", &Parameter::extent_from},
                                                              {"pitch-from", &Parameter::pitch_from}};
const std::string tensor_word = "tensor", scalar_word = "scalar";

template <class Number>
std::optional<Number> number(std::string_view text) {
    Number value{};
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// Registers of one instruction.
std::optional<int> message_length(std::string_view text) {
    const auto length = number<unsigned>(text);
    if (!length || *length > 128 || !std::has_single_bit(*length)) return std::nullopt;
    return static_cast<int>(*length);
}

/// Sets `member` when there is a value for it.
template <class Member, class Value>
bool assign(Member& member, const std::optional<Value>& value) {
    if (value) member = *value;
    return value.has_value();
}

bool set_outputs(Options& options, std::string_view words) {
    std::vector<Kind> wanted;
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(','), words.size());
        const std::optional<Kind> kind = find(kinds, words.substr(0, end));
        if (!kind) return false;
        wanted.push_back(*kind);
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    options.outputs = std::move(wanted);
    return true;
}

bool define(Options& options, std::string_view words) {
    const std::size_t at = words.find('=');
    if (at == std::string_view::npos || at == 0) return false;
    const auto value = number<std::int64_t>(words.substr(at + 1));
    if (value) options.definitions.emplace_back(words.substr(0, at), *value);
    return value.has_value();
}

bool set(Options& options, std::string_view option, std::string_view value) {
    if (const auto text = find(texts, option)) return (options.*(*text) = value, true);
    if (const auto flag = find(switches, option)) {
        if (value != "0" && value != "1") return false;
        return (options.*(*flag) = value == "1", true);
    }
    if (option == "output") return set_outputs(options, value);
    if (option == "define") return define(options, value);
    if (option == "ptxas-flag") return (options.ptxas_flags.emplace_back(value), true);
    if (option == "tensor-memory") return assign(options.tensor_memory, find(memories, value));
    if (option == "max-message") return assign(options.max_message, message_length(value));
    if (option == "ptxas-timeout") return assign(options.ptxas_timeout_ms, number<std::uint32_t>(value));
    return false;
}

/// Text as C has it; NULL for what is not there.
const char* give(const std::string* text, std::size_t* bytes) {
    if (bytes != nullptr) *bytes = text == nullptr ? 0 : text->size();
    return text == nullptr ? nullptr : text->c_str();
}

template <class Element>
const Element* at(const std::vector<Element>& all, std::size_t index) {
    return index < all.size() ? &all[index] : nullptr;
}
const Diagnostic* diagnostic_at(const tmemc_compilation* compilation, std::size_t index) {
    return compilation == nullptr ? nullptr : at(compilation->value.diagnostics, index);
}
const Kernel* kernel_at(const tmemc_compilation* compilation, std::size_t index) {
    return compilation == nullptr ? nullptr : at(compilation->value.kernels, index);
}

const Parameter* parameter_at(const tmemc_compilation* compilation, std::size_t kernel, std::size_t index) {
    const Kernel* const found = kernel_at(compilation, kernel);
    return found == nullptr ? nullptr : at(found->parameters, index);
}

/// Null for other words.
const std::string* part_of(const Parameter& parameter, std::string_view what) {
    if (what == "kind") return parameter.tensor ? &tensor_word : &scalar_word;
    auto member = find(words_of_all, what);
    if (!member && parameter.tensor) member = find(words_of_tensors, what);
    return member ? &(parameter.*(*member)) : nullptr;
}

std::uint64_t number_of(const Parameter& parameter, std::string_view what) {
    if (what == "bits") return parameter.bits;
    if (!parameter.tensor) return 0;
    const Row<std::uint64_t> numbers[] = {{"dimensions", parameter.shape.size()},
                                          {"extent", parameter.shape.front()},
                                          {"columns", parameter.shape.back()},
                                          {"pitch", parameter.pitch},
                                          {"align", parameter.align}};
    return find(numbers, what).value_or(0);
}

tmemc_range range_of(const Range& range) {
    return {range.begin.line, range.begin.column, range.begin.offset,
            range.end.line,   range.end.column,   range.end.offset};
}

std::string_view word(const char* text) { return text == nullptr ? std::string_view() : text; }

/// Notes or helps; null for other words.
const std::vector<std::string>* sentences(const Diagnostic& diagnostic, std::string_view what) {
    if (what == "note") return &diagnostic.notes;
    return what == "help" ? &diagnostic.helps : nullptr;
}

} // namespace

const char* tmemc_version(void) { return TMEMC_VERSION; }

tmemc_options* tmemc_options_new(void) {
    try {
        return new tmemc_options;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void tmemc_options_free(tmemc_options* options) { delete options; }

int tmemc_options_set(tmemc_options* options, const char* option, const char* value) {
    if (options == nullptr || option == nullptr || value == nullptr) return TMEMC_STATUS_OPTION;
    try {
        return set(options->value, option, value) ? TMEMC_STATUS_OK : TMEMC_STATUS_OPTION;
    } catch (const std::bad_alloc&) {
        return TMEMC_STATUS_OUT_OF_MEMORY;
    }
}

tmemc_compilation* tmemc_compile(const char* text, size_t bytes, const tmemc_options* options) {
    auto* const made = new (std::nothrow) tmemc_compilation;
    if (made == nullptr) return nullptr;
    const std::string_view source(text == nullptr ? "" : text, text == nullptr ? 0 : bytes);
    try {
        made->value = compile(source, options == nullptr ? Options() : options->value);
    } catch (const std::bad_alloc&) { // by the options
        made->value.status = Status::out_of_memory;
    }
    return made;
}

void tmemc_compilation_free(tmemc_compilation* compilation) { delete compilation; }

int tmemc_compilation_status(const tmemc_compilation* compilation) {
    return compilation == nullptr ? TMEMC_STATUS_OUT_OF_MEMORY : static_cast<int>(compilation->value.status);
}

const char* tmemc_compilation_get(const tmemc_compilation* compilation, const char* what, size_t* bytes) {
    static const Result empty;
    const Result& result = compilation == nullptr ? empty : compilation->value;
    const auto member = find(outputs, word(what));
    return give(member ? &(result.*(*member)) : nullptr, bytes);
}

size_t tmemc_kernel_count(const tmemc_compilation* compilation) {
    return compilation == nullptr ? 0 : compilation->value.kernels.size();
}

const char* tmemc_kernel_name(const tmemc_compilation* compilation, size_t kernel) {
    const Kernel* const found = kernel_at(compilation, kernel);
    return found == nullptr ? nullptr : found->name.c_str();
}

void tmemc_kernel_launch(const tmemc_compilation* compilation, size_t kernel, uint32_t* grid,
                         uint32_t* threads, uint64_t* scratch_bytes) {
    const Kernel* const found = kernel_at(compilation, kernel);
    for (std::size_t d = 0; grid != nullptr && d < 3; ++d) grid[d] = found == nullptr ? 0 : found->grid[d];
    if (threads != nullptr) *threads = found == nullptr ? 0 : found->threads;
    if (scratch_bytes != nullptr) *scratch_bytes = found == nullptr ? 0 : found->scratch_bytes;
}

size_t tmemc_parameter_count(const tmemc_compilation* compilation, size_t kernel) {
    const Kernel* const found = kernel_at(compilation, kernel);
    return found == nullptr ? 0 : found->parameters.size();
}

const char* tmemc_parameter_get(const tmemc_compilation* compilation, size_t kernel, size_t parameter,
                                const char* what, size_t* bytes) {
    const Parameter* const found = parameter_at(compilation, kernel, parameter);
    return give(found == nullptr ? nullptr : part_of(*found, word(what)), bytes);
}

uint64_t tmemc_parameter_number(const tmemc_compilation* compilation, size_t kernel, size_t parameter,
                                const char* what) {
    const Parameter* const found = parameter_at(compilation, kernel, parameter);
    return found == nullptr ? 0 : number_of(*found, word(what));
}

size_t tmemc_diagnostic_count(const tmemc_compilation* compilation) {
    return compilation == nullptr ? 0 : compilation->value.diagnostics.size();
}

int tmemc_diagnostic_severity(const tmemc_compilation* compilation, size_t diagnostic) {
    const Diagnostic* const found = diagnostic_at(compilation, diagnostic);
    return found == nullptr ? TMEMC_SEVERITY_NOTE : static_cast<int>(found->severity);
}

tmemc_range tmemc_diagnostic_range(const tmemc_compilation* compilation, size_t diagnostic) {
    const Diagnostic* const found = diagnostic_at(compilation, diagnostic);
    return range_of(found == nullptr ? Range() : found->range);
}

const char* tmemc_diagnostic_get(const tmemc_compilation* compilation, size_t diagnostic, const char* what,
                                 size_t* bytes) {
    const Diagnostic* const found = diagnostic_at(compilation, diagnostic);
    const auto member = find(parts, word(what));
    return give(found != nullptr && member ? &(found->*(*member)) : nullptr, bytes);
}

size_t tmemc_detail_count(const tmemc_compilation* compilation, size_t diagnostic, const char* what) {
    const Diagnostic* const found = diagnostic_at(compilation, diagnostic);
    if (found == nullptr) return 0;
    if (word(what) == "label") return found->labels.size();
    const auto* const all = sentences(*found, word(what));
    return all == nullptr ? 0 : all->size();
}

const char* tmemc_detail_get(const tmemc_compilation* compilation, size_t diagnostic, const char* what,
                             size_t detail, size_t* bytes) {
    const Diagnostic* const found = diagnostic_at(compilation, diagnostic);
    if (found == nullptr) return give(nullptr, bytes);
    if (word(what) == "label") {
        const Label* const label = at(found->labels, detail);
        return give(label == nullptr ? nullptr : &label->text, bytes);
    }
    const auto* const all = sentences(*found, word(what));
    return give(all == nullptr ? nullptr : at(*all, detail), bytes);
}

tmemc_range tmemc_label_range(const tmemc_compilation* compilation, size_t diagnostic, size_t label) {
    const Diagnostic* const found = diagnostic_at(compilation, diagnostic);
    const Label* const place = found == nullptr ? nullptr : at(found->labels, label);
    return range_of(place == nullptr ? Range() : place->range);
}
