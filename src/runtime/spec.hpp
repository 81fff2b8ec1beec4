// What stands behind NAME= on the command line: where a tensor's or a scalar's values come from. A kernel's
// own types say what it becomes; a .ptx kernel has none, so there a tensor's spec ends in its type.
//
//     A=@a.npy   A=random:7   A=cells   alpha=2.5   A=0     in:  a file, generators, a number (all elements)
//     A=zeros:f16[128,8]   A=random:7:s32[64]               with a type, for .ptx
//     S=hex:0100000002000000                                the bytes of a structure, for .ptx
//
// Not here: what the generators give (generate.hpp), the form in test blocks (trial/given.hpp).
#pragma once

#include "runtime/array.hpp"
#include "runtime/call.hpp"
#include "runtime/generate.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tmemc::runtime {

struct NpyPath {
    std::string path;
    bool operator==(const NpyPath&) const = default;
};
struct HexBytes { // of a structure that is passed by value
    std::vector<std::byte> bytes;
    bool operator==(const HexBytes&) const = default;
};
using Values = std::variant<NpyPath, Generator, HexBytes>; // a number is Generator::Kind::full

struct TensorType {
    base::Dtype dtype{};
    std::vector<std::int64_t> shape;
    bool operator==(const TensorType&) const = default;
};
struct Spec {
    Values values;
    std::optional<TensorType> type; // written behind the values
    bool operator==(const Spec&) const = default;
};
/// The spec, or one sentence with the way out.
[[nodiscard]] std::variant<Spec, std::string> parse_spec(std::string_view text);

struct FileContents {
    std::optional<std::string> bytes; // absent: `error` says why, in one sentence
    std::string error;
};
/// Of a file longer than `limit` bytes, that many.
using FileReader = std::function<FileContents(const std::string& path, std::size_t limit)>;

/// What a .npy file holds, as the first type that has its descriptor.
[[nodiscard]] std::variant<TensorType, std::string> type_of_npy(const std::string& path,
                                                                const FileReader& read_file);
/// The array for a formal, or one sentence that says why not, such as "`a.npy` holds f32[128, 4], but `A` is
/// f16[128, 8]". A scalar takes a number only.
[[nodiscard]] std::variant<Array, std::string> materialise(const Values& values, const Formal& formal,
                                                           const FileReader& read_file);

} // namespace tmemc::runtime
