// The file: "\x93NUMPY", two bytes of version, the length of the header (2 bytes in version 1.0, 4 in 2.0
// and 3.0), the header, the data. The header is a Python dict literal, padded with spaces so that the data
// start at a multiple of 64:
//
//     {'descr': '<f2', 'fortran_order': False, 'shape': (128, 8), }
//
// The reader trusts nothing in it: every length is held against the bytes that are there before it is used.
// Fortran order (first index fastest) is turned into C order. Source: numpy.lib.format and NEP 1.
#include "runtime/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace tmemc::runtime {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t alignment = 64;

/// What a descriptor such as "<f2" says: one element's kind ('f') and size in bytes.
struct Descriptor {
    char order = '|';
    char kind = 0;
    std::int64_t size = 0; // 0: not understood
};

Descriptor parse_descriptor(std::string_view text) {
    Descriptor result;
    if (!text.empty() && std::string_view("<>|=").find(text.front()) != std::string_view::npos) {
        result.order = text.front();
        text.remove_prefix(1);
    }
    if (text.size() < 2 || text.size() > 3) return result;
    result.kind = text.front();
    if (std::string_view("biufcV").find(result.kind) == std::string_view::npos) return result;
    std::int64_t size = 0;
    for (const char digit : text.substr(1)) {
        if (digit < '0' || digit > '9') return result;
        size = 10 * size + (digit - '0');
    }
    result.size = size;
    return result;
}

std::uint64_t little_endian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

/// The number of bytes that the shape asks for, or nothing when it is beyond `limit`.
std::optional<std::size_t> size_of(const std::vector<std::int64_t>& shape, std::int64_t item,
                                   std::size_t limit) {
    if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
    std::uint64_t size = static_cast<std::uint64_t>(item);
    for (const std::int64_t extent : shape) {
        const auto factor = static_cast<std::uint64_t>(extent);
        if (size > limit / factor) return std::nullopt;
        size *= factor;
    }
    return size;
}

/// Data whose first index runs fastest, reordered so that the last one does.
std::vector<std::byte> to_c_order(const std::vector<std::byte>& data, const std::vector<std::int64_t>& shape,
                                  std::size_t item) {
    std::vector<std::byte> result(data.size());
    std::vector<std::int64_t> index(shape.size());
    for (std::size_t to = 0; to < data.size(); to += item) {
        std::size_t from = 0;
        for (std::size_t d = shape.size(); d-- > 0;) {
            from = from * static_cast<std::size_t>(shape[d]) + static_cast<std::size_t>(index[d]);
        }
        std::memcpy(&result[to], &data[from * item], item);
        for (std::size_t d = shape.size(); d-- > 0 && ++index[d] == shape[d];) index[d] = 0;
    }
    return result;
}

/// The data behind the header, in C order.
std::variant<NpyFile, std::string> with_data(NpyHeader header, std::string_view data) {
    const Descriptor element = parse_descriptor(header.descr);
    const auto size = size_of(header.shape, element.size, data.size());
    if (size && *size < data.size()) {
        return fmt::format("its header promises `{}` elements of shape ({}), but more data follow",
                           header.descr, fmt::join(header.shape, ", "));
    }
    if (!size || *size > data.size()) {
        return fmt::format("its header promises `{}` elements of shape ({}), but {} bytes of data follow",
                           header.descr, fmt::join(header.shape, ", "), data.size());
    }
    NpyFile file{std::move(header.descr), std::move(header.shape), std::vector<std::byte>(data.size())};
    if (!data.empty()) std::memcpy(file.bytes.data(), data.data(), data.size());
    if (header.fortran_order && file.shape.size() > 1) {
        file.bytes = to_c_order(file.bytes, file.shape, static_cast<std::size_t>(element.size));
    }
    return file;
}

/// The shape as Python prints a tuple, with the comma that makes (8,) one.
std::string tuple(const std::vector<std::int64_t>& shape) {
    return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

/// NumPy leaves room for the first extent to grow to this many digits in place.
constexpr std::size_t growth_digits = 21;

/// A file in two.
struct Parts {
    NpyHeader header;
    std::string_view data;
};

std::variant<Parts, std::string> take_apart(std::string_view contents) {
    if (!contents.starts_with(magic)) return "it is no .npy file: it does not start with \\x93NUMPY";
    contents.remove_prefix(magic.size());
    if (contents.size() < 2) return "it ends before its version";
    const int major = static_cast<unsigned char>(contents[0]);
    const int minor = static_cast<unsigned char>(contents[1]);
    if (major < 1 || major > 3 || minor != 0) {
        return fmt::format("it is of version {}.{}, and 1.0, 2.0 and 3.0 can be read", major, minor);
    }
    contents.remove_prefix(2);
    const std::size_t length_bytes = major == 1 ? 2 : 4;
    if (contents.size() < length_bytes) return "it ends before the length of its header";
    const std::uint64_t length = little_endian(contents.substr(0, length_bytes));
    contents.remove_prefix(length_bytes);
    if (length > npy_start_bytes) return fmt::format("its header has {} bytes, too many to read", length);
    if (length > contents.size()) {
        return fmt::format("its header should have {} bytes, but the file ends after {}", length,
                           contents.size());
    }
    auto read = read_npy_header(contents.substr(0, length));
    if (auto* const sentence = std::get_if<std::string>(&read)) return std::move(*sentence);
    NpyHeader& header = std::get<NpyHeader>(read);
    const Descriptor element = parse_descriptor(header.descr);
    if (element.size == 0) {
        return fmt::format("it holds `{}`, which is no plain number of a fixed size", header.descr);
    }
    if (element.order == '>' && element.size > 1) {
        return fmt::format(
            "it holds `{}`, which is big-endian; save it with `a.astype(a.dtype.newbyteorder('<'))`",
            header.descr);
    }
    return Parts{std::move(header), contents.substr(length)};
}

} // namespace

std::variant<NpyHeader, std::string> read_npy_start(std::string_view contents) {
    auto parts = take_apart(contents);
    if (auto* const sentence = std::get_if<std::string>(&parts)) return std::move(*sentence);
    return std::move(std::get<Parts>(parts).header);
}

std::variant<NpyFile, std::string> read_npy(std::string_view contents) {
    auto parts = take_apart(contents);
    if (auto* const sentence = std::get_if<std::string>(&parts)) return std::move(*sentence);
    return with_data(std::move(std::get<Parts>(parts).header), std::get<Parts>(parts).data);
}

std::string write_npy(const Array& array) {
    std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}",
                                     base::row(array.dtype).npy, tuple(array.shape));
    if (!array.shape.empty()) {
        header.append(growth_digits - std::min(growth_digits, std::to_string(array.shape.front()).size()),
                      ' ');
    }
    const std::size_t used = magic.size() + 4 + header.size() + 1;
    header.append(alignment - used % alignment, ' '); // a whole one when nothing is missing, as NumPy does
    header += '\n';
    std::string file(magic);
    file += {'\x01', '\x00', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
    file += header;
    file.append(reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size());
    return file;
}

bool npy_fits(std::string_view descr, base::Dtype dtype) {
    const Descriptor element = parse_descriptor(descr);
    const base::DtypeRow& row = base::row(dtype);
    if (element.size != base::bytes(dtype) || (element.order == '>' && element.size > 1)) return false;
    if (row.kind == base::DtypeClass::raw_bits) return element.kind != 'b' && element.kind != 'c';
    const char own = parse_descriptor(row.npy).kind;
    const bool has_numpy_type =
        dtype == base::Dtype::f32 || dtype == base::Dtype::f16 || row.kind != base::DtypeClass::floating;
    return element.kind == own || (!has_numpy_type && (element.kind == 'u' || element.kind == 'V'));
}

std::string npy_text(std::string_view descr, const std::vector<std::int64_t>& shape) {
    const Descriptor element = parse_descriptor(descr);
    std::string name(descr);
    for (const char* const letters : {"ff", "is", "uu"}) {
        if (element.size > 0 && element.kind == letters[0])
            name = fmt::format("{}{}", letters[1], 8 * element.size);
    }
    return shape.empty() ? name : fmt::format("{}[{}]", name, fmt::join(shape, ", "));
}

} // namespace tmemc::runtime
