// A spec is words between colons. The last one is the type when it ends in `]` or is a dtype; the first one
// says what kind of values; only `random` takes a second one.
#include "runtime/spec.hpp"

#include "base/near.hpp"
#include "runtime/npy.hpp"
#include "runtime/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <utility>

namespace tmemc::runtime {

namespace {

using Sentence = std::string;

template <class Result>
Sentence* sentence(std::variant<Result, Sentence>& result) {
    return std::get_if<Sentence>(&result);
}

std::string_view trim(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
}

/// ", did you mean `zeros`?", or nothing.
std::string hint(std::string_view name, const std::vector<std::string>& candidates) {
    const std::string near = base::nearest(name, candidates);
    return near.empty() ? near : fmt::format(", did you mean `{}`?", near);
}

std::vector<std::string> dtype_names() {
    std::vector<std::string> names;
    names.reserve(base::dtype_rows.size());
    for (const base::DtypeRow& row : base::dtype_rows) names.emplace_back(row.name);
    return names;
}

std::variant<std::vector<std::int64_t>, Sentence> parse_extents(std::string_view text) {
    constexpr std::int64_t most = std::int64_t{1} << 32; // elements
    std::vector<std::int64_t> extents;
    std::int64_t elements = 1;
    for (bool more = true; more;) {
        const std::size_t comma = text.find(',');
        const std::string_view word = trim(text.substr(0, comma));
        const auto number = parse_number(word);
        const std::int64_t* const extent = number ? std::get_if<std::int64_t>(&*number) : nullptr;
        if (extent == nullptr || *extent < 1)
            return fmt::format("`{}` is no extent: a positive integer", word);
        if (*extent > most / elements) return fmt::format("more than {} elements are too many", most);
        elements *= *extent;
        extents.push_back(*extent);
        more = comma != std::string_view::npos;
        if (more) text.remove_prefix(comma + 1);
    }
    return extents;
}

/// The dtype that other languages' name for one means: "i32" is s32.
std::string dtype_hint(std::string_view word) {
    if (word == "f64" || word == "u64" || word == "s64" || word == "i64")
        return "; elements have at most 32 bits, two of b32 hold one of 64";
    const std::string name = word.starts_with('i') ? "s" + std::string(word.substr(1)) : std::string(word);
    return base::dtype_named(name) ? fmt::format(", did you mean `{}`?", name) : hint(word, dtype_names());
}

/// "f16[128,8]".
std::variant<TensorType, Sentence> parse_type(std::string_view text) {
    const std::size_t open = text.find('[');
    const std::string_view word = trim(text.substr(0, open));
    const auto dtype = base::dtype_named(word);
    if (!dtype) return fmt::format("no dtype is called `{}`{}", word, dtype_hint(word));
    if (open == std::string_view::npos || !text.ends_with(']')) {
        return fmt::format("`{}` needs its extents: {}[128,8]", text, word);
    }
    auto extents = parse_extents(text.substr(open + 1, text.size() - open - 2));
    if (Sentence* const bad = sentence(extents)) return std::move(*bad);
    return TensorType{*dtype, std::move(std::get<std::vector<std::int64_t>>(extents))};
}

/// Takes the last word off `text` when it is meant as a type.
std::optional<std::string_view> take_type(std::string_view& text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const std::string_view last = trim(text.substr(colon + 1));
    if (!last.ends_with(']') && last.find('[') == std::string_view::npos && !base::dtype_named(last))
        return std::nullopt;
    text = text.substr(0, colon);
    return last;
}

std::variant<Generator, Sentence> parse_random(std::string_view seed) {
    Generator generator{Generator::Kind::random};
    const auto [stop, error] = std::from_chars(seed.data(), seed.data() + seed.size(), generator.seed);
    if (error == std::errc{} && stop == seed.data() + seed.size()) return generator;
    return fmt::format("`{}` is no seed: `random:7` takes an integer of 64 bits that is not negative", seed);
}

std::variant<Generator, Sentence> parse_generator(std::string_view text) {
    const std::size_t colon = text.find(':');
    const std::string_view word = trim(text.substr(0, colon));
    const auto kind = generator_named(word);
    if (!kind || *kind == Generator::Kind::full) { // here a bare number is `full`
        const auto number = parse_number(text);
        if (number) return Generator{Generator::Kind::full, 0, *number};
        std::vector<std::string> names = generator_names();
        names.erase(std::remove(names.begin(), names.end(), "full"), names.end());
        return fmt::format("`{}` is neither @FILE.npy nor a number nor a generator ({}){}", text,
                           fmt::join(names, ", "), hint(word, names));
    }
    if (colon == std::string_view::npos) return Generator{*kind};
    const std::string_view rest = text.substr(colon + 1);
    if (*kind == Generator::Kind::random) return parse_random(trim(rest));
    return fmt::format("`{}` takes nothing behind a colon but a type: {}:f16[128,8]", word, word);
}

std::size_t bytes_of(const Formal& formal) {
    auto bytes = static_cast<std::size_t>(base::bytes(formal.dtype));
    for (const std::int64_t extent : formal.shape) bytes *= static_cast<std::size_t>(extent);
    return bytes;
}

std::variant<Array, Sentence> array_from_npy(const std::string& path, const Formal& formal,
                                             const FileReader& read_file) {
    // One read, for a pipe has no second: the longest header, the elements, and a byte that is too many.
    const FileContents contents = read_file(path, npy_start_bytes + bytes_of(formal) + 1);
    if (!contents.bytes) return contents.error;
    auto start = read_npy_start(*contents.bytes);
    if (Sentence* const bad = sentence(start)) return fmt::format("`{}` cannot be read: {}", path, *bad);
    const NpyHeader& header = std::get<NpyHeader>(start);
    if (!npy_fits(header.descr, formal.dtype) || header.shape != formal.shape) {
        return fmt::format("`{}` holds {}, but `{}` is {}", path, npy_text(header.descr, header.shape),
                           formal.name, to_string(formal.dtype, formal.shape));
    }
    auto read = read_npy(*contents.bytes);
    if (Sentence* const bad = sentence(read)) return fmt::format("`{}` cannot be read: {}", path, *bad);
    NpyFile& file = std::get<NpyFile>(read);
    return Array{formal.dtype, std::move(file.shape), std::move(file.bytes)};
}

std::variant<HexBytes, Sentence> parse_hex(std::string_view digits) {
    HexBytes made;
    for (std::size_t at = 0; at < digits.size(); at += 2) {
        unsigned byte = 0;
        const std::string_view pair = digits.substr(at, 2);
        const auto [stop, error] = std::from_chars(pair.data(), pair.data() + pair.size(), byte, 16);
        if (pair.size() != 2 || error != std::errc{} || stop != pair.data() + 2)
            return fmt::format("`{}` is no byte: hex: takes two digits for each", pair);
        made.bytes.push_back(static_cast<std::byte>(byte));
    }
    return made;
}

/// The bytes of a structure, from digits or from a file of any type.
std::variant<Array, Sentence> structure(const Values& values, const Formal& formal,
                                        const FileReader& read_file) {
    const auto wanted = static_cast<std::size_t>(formal.shape.front());
    Array array{formal.dtype, formal.shape, {}};
    if (const auto* hex = std::get_if<HexBytes>(&values)) {
        array.bytes = hex->bytes;
    } else if (const auto* file = std::get_if<NpyPath>(&values)) {
        const FileContents contents = read_file(file->path, npy_start_bytes + wanted + 1);
        if (!contents.bytes) return contents.error;
        auto read = read_npy(*contents.bytes);
        if (Sentence* const bad = sentence(read))
            return fmt::format("`{}` cannot be read: {}", file->path, *bad);
        array.bytes = std::move(std::get<NpyFile>(read).bytes);
    } else {
        return fmt::format("`{}` is a structure of {} bytes: give it hex:0011... or @FILE.npy", formal.name,
                           wanted);
    }
    if (array.bytes.size() == wanted) return array;
    return fmt::format("`{}` has {} bytes, and {} are given", formal.name, wanted, array.bytes.size());
}

/// An integer is in the range of its bits, signed or not: compilers write the type of an `int` as .u32.
bool fits(base::Dtype dtype, const Number& number) {
    const std::int64_t* const whole = std::get_if<std::int64_t>(&number);
    if (whole == nullptr || base::row(dtype).kind == base::DtypeClass::floating) return true;
    const std::int64_t end = std::int64_t{1} << base::bits(dtype);
    return *whole >= -end / 2 && *whole < end;
}

/// A number as the two halves of a 64-bit scalar.
std::variant<Array, Sentence> wide_scalar(const Generator* generator, const Formal& formal) {
    const bool real = formal.wide == Wide::floating;
    if (generator == nullptr || generator->kind != Generator::Kind::full)
        return fmt::format("`{}` is a scalar of 64 bits: give it a number", formal.name);
    const std::int64_t* const whole = std::get_if<std::int64_t>(&generator->value);
    if (!real && whole == nullptr)
        return fmt::format("{} is no integer, and `{}` holds nothing else", to_string(generator->value),
                           formal.name);
    const double value = whole != nullptr ? static_cast<double>(*whole) : std::get<double>(generator->value);
    const auto bits = real ? std::bit_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(*whole);
    Array array = make_array(formal.dtype, formal.shape);
    array.set(0, static_cast<std::uint32_t>(bits));
    array.set(1, static_cast<std::uint32_t>(bits >> 32));
    return array;
}

} // namespace

std::variant<TensorType, std::string> type_of_npy(const std::string& path, const FileReader& read_file) {
    const FileContents contents = read_file(path, npy_start_bytes);
    if (!contents.bytes) return contents.error;
    auto start = read_npy_start(*contents.bytes);
    if (Sentence* const bad = sentence(start)) return fmt::format("`{}` cannot be read: {}", path, *bad);
    const NpyHeader& header = std::get<NpyHeader>(start);
    for (const base::DtypeRow& row : base::dtype_rows)
        if (row.npy == header.descr && !header.shape.empty()) return TensorType{row.dtype, header.shape};
    return fmt::format("`{}` holds {}, which no dtype fits", path, npy_text(header.descr, header.shape));
}

std::variant<Spec, std::string> parse_spec(std::string_view text) {
    text = trim(text);
    const std::string_view whole = text;
    Spec spec;
    if (text.starts_with("hex:")) {
        auto bytes = parse_hex(text.substr(4));
        if (Sentence* const bad = sentence(bytes)) return std::move(*bad);
        spec.values = std::move(std::get<HexBytes>(bytes));
        return spec;
    }
    if (const auto type = take_type(text)) {
        auto parsed = parse_type(*type);
        if (Sentence* const bad = sentence(parsed)) return std::move(*bad);
        spec.type = std::move(std::get<TensorType>(parsed));
    }
    if (text.empty())
        return fmt::format("`{}` gives no values: write @FILE.npy, a number or a generator", whole);
    if (text.starts_with('@')) {
        if (text.size() == 1) return "`@` needs the name of a .npy file behind it";
        spec.values = NpyPath{std::string(text.substr(1))};
        return spec;
    }
    auto generator = parse_generator(text);
    if (Sentence* const bad = sentence(generator)) return std::move(*bad);
    spec.values = std::get<Generator>(generator);
    return spec;
}

std::variant<Array, std::string> materialise(const Values& values, const Formal& formal,
                                             const FileReader& read_file) {
    const Generator* const generator = std::get_if<Generator>(&values);
    if (formal.wide == Wide::bytes) return structure(values, formal, read_file);
    if (std::holds_alternative<HexBytes>(values))
        return fmt::format("hex: gives the bytes of a structure, and `{}` is none", formal.name);
    if (formal.wide != Wide::no) return wide_scalar(generator, formal);
    if (formal.is_scalar() && (generator == nullptr || generator->kind != Generator::Kind::full)) {
        return fmt::format("`{}` is a scalar of type {}: give it a number", formal.name,
                           base::name(formal.dtype));
    }
    if (formal.is_scalar() && !fits(formal.dtype, generator->value))
        return fmt::format("{} does not fit in {} bits", to_string(generator->value),
                           base::bits(formal.dtype));
    if (generator != nullptr) return generate(*generator, formal.dtype, formal.shape);
    return array_from_npy(std::get<NpyPath>(values).path, formal, read_file);
}

} // namespace tmemc::runtime
