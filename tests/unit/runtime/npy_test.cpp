// .npy files: those that NumPy wrote (data/npy) are read and written byte for byte; headers that lie are
// refused.
#include "runtime/npy.hpp"

#include "base/file.hpp"

#include <doctest/doctest.h>

#include <map>

using namespace tmemc;
using base::Dtype;
using runtime::Array;
using runtime::npy_fits;
using runtime::NpyFile;
using runtime::read_npy;
using runtime::write_npy;

namespace {

std::string contents(const std::string& name) {
    std::string error;
    const auto text = base::read_file("data/npy/" + name, error);
    REQUIRE_MESSAGE(text, error);
    return *text;
}

NpyFile read(const std::string& text) {
    auto result = read_npy(text);
    const std::string* const sentence = std::get_if<std::string>(&result);
    REQUIRE_MESSAGE(sentence == nullptr, *sentence);
    return std::get<NpyFile>(result);
}

std::string refusal(const std::string& text) {
    const auto result = read_npy(text);
    const std::string* const sentence = std::get_if<std::string>(&result);
    return sentence == nullptr ? "read" : *sentence;
}

/// A file of version 1.0 with this header and this many bytes of data.
std::string file(const std::string& header, std::size_t data) {
    std::string text("\x93NUMPY\x01\x00", 8);
    text += static_cast<char>(header.size() & 255);
    text += static_cast<char>(header.size() >> 8);
    return text + header + std::string(data, '\1');
}

/// 1, 2, ... in a tensor of this type, by `bits(n)`.
template <class Bits>
Array counted(Dtype dtype, std::vector<std::int64_t> shape, Bits bits) {
    Array array = runtime::make_array(dtype, std::move(shape));
    for (std::int64_t i = 0; i < array.elements(); ++i) array.set(i, bits(static_cast<std::uint32_t>(i + 1)));
    return array;
}

Array counted_f16() {
    const std::uint32_t bits[]{0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600};
    return counted(Dtype::f16, {2, 3}, [&](std::uint32_t n) { return bits[n]; });
}
Array counted_s8() {
    return counted(Dtype::s8, {2, 3}, [](std::uint32_t n) { return 256 - n; });
}
Array counted_u8() {
    return counted(Dtype::u8, {8}, [](std::uint32_t n) { return n; });
}

} // namespace

TEST_CASE("files of NumPy are read") {
    const NpyFile f16 = read(contents("f16.npy"));
    CHECK(f16.descr == "<f2");
    CHECK(f16.shape == std::vector<std::int64_t>{2, 3});
    CHECK(f16.bytes == counted_f16().bytes);
    CHECK(read(contents("s8.npy")).bytes == counted_s8().bytes);
    CHECK(read(contents("u8_vector.npy")).shape == std::vector<std::int64_t>{8});
    const NpyFile scalar = read(contents("s32_scalar.npy"));
    CHECK(scalar.shape.empty());
    CHECK(scalar.bytes == counted(Dtype::s32, {}, [](std::uint32_t) { return 0xfffffff9; }).bytes);
    CHECK(read(contents("u16_long.npy")).shape == std::vector<std::int64_t>{12345, 0});
    CHECK(read(contents("float64.npy")).descr == "<f8");
}

TEST_CASE("bf16 and 8-bit floats arrive as the bytes that NumPy's extensions write") {
    const NpyFile bf16 = read(contents("bf16.npy"));
    CHECK(bf16.descr == "<V2");
    CHECK(bf16.bytes[0] == std::byte{0x80});
    CHECK(bf16.bytes[1] == std::byte{0x3f});
    CHECK(npy_fits(bf16.descr, Dtype::bf16));
    const NpyFile f8 = read(contents("f8e4m3.npy"));
    CHECK(f8.bytes[0] == std::byte{0x38});
    CHECK(npy_fits(f8.descr, Dtype::f8e4m3));
}

TEST_CASE("versions 2.0 and 3.0 are read like 1.0") {
    for (const char* const name : {"version2.npy", "version3.npy"}) {
        const NpyFile read_back = read(contents(name));
        CHECK(read_back.descr == "<u4");
        CHECK(read_back.bytes == counted(Dtype::u32, {2, 3}, [](std::uint32_t n) { return n; }).bytes);
    }
}

TEST_CASE("Fortran order becomes C order") {
    const NpyFile fortran = read(contents("fortran.npy"));
    CHECK(fortran.shape == std::vector<std::int64_t>{2, 3, 4});
    CHECK(fortran.bytes == counted(Dtype::s16, {2, 3, 4}, [](std::uint32_t n) { return n - 1; }).bytes);
}

TEST_CASE("files are written byte for byte as NumPy does") {
    CHECK(write_npy(counted_f16()) == contents("f16.npy"));
    CHECK(write_npy(counted_s8()) == contents("s8.npy"));
    CHECK(write_npy(counted_u8()) == contents("u8_vector.npy"));
    CHECK(write_npy(counted(Dtype::s32, {}, [](std::uint32_t) { return 0xfffffff9; })) ==
          contents("s32_scalar.npy"));
    CHECK(write_npy(runtime::make_array(Dtype::u16, {12345, 0})) == contents("u16_long.npy"));
}

TEST_CASE("what is written reads back, for every dtype, its data on a multiple of 64") {
    for (const base::DtypeRow& row : base::dtype_rows) {
        CAPTURE(row.name);
        const Array array = counted(row.dtype, {5, 7}, [](std::uint32_t n) { return n * 0x01020305; });
        const std::string text = write_npy(array);
        CHECK((text.size() - array.bytes.size()) % 64 == 0);
        const NpyFile back = read(text);
        CHECK(back.shape == array.shape);
        CHECK(back.bytes == array.bytes);
        CHECK(npy_fits(back.descr, row.dtype));
    }
}

TEST_CASE("what NumPy can write and a kernel cannot read is refused") {
    CHECK(refusal(contents("big_endian.npy")).starts_with("it holds `>f4`, which is big-endian"));
    CHECK(refusal(contents("text.npy")) == "it holds `<U2`, which is no plain number of a fixed size");
    CHECK(refusal(contents("records.npy")) == "it holds records, not plain numbers");
}

TEST_CASE("what a file holds is known before its data") {
    const std::string text = write_npy(counted_f16());
    const auto start = runtime::read_npy_start(std::string_view(text).substr(0, 128));
    CHECK(std::get<runtime::NpyHeader>(start) == runtime::NpyHeader{"<f2", false, {2, 3}});
    const std::string endless("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12);
    CHECK(refusal(endless) == "its header has 4294967295 bytes, too many to read");
}

TEST_CASE("a header that lies is refused with a sentence") {
    const std::map<std::string, std::string> headers{
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }",
         "its header promises `<f4` elements of shape (3), but 8 bytes of data follow"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }",
         "its header promises `<f4` elements of shape (1), but more data follow"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }",
         "its header promises `<f4` elements of shape (4294967296, 4294967296), but 8 bytes of data follow"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387906,), }", // 8 bytes modulo 2^64
         "its header promises `<f4` elements of shape (4611686018427387906), but 8 bytes of data follow"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-2, -1), }",
         "its header has a negative extent, -2"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }",
         "its header has an extent beyond 64 bits"},
        {"{'descr': '<f4', 'fortran_order': False, }", "its header has no `shape`"},
        {"{'descr': '<f4', 'shape': (2,), }", "its header has no `fortran_order`"},
        {"{'fortran_order': False, 'shape': (2,), }", "its header has no `descr`"},
        {"{}", "its header has no `descr`"},
        {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
         "its header has the key `descr` twice"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}",
         "its header has the key `x`, which NumPy does not write"},
        {"{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2,), }",
         "its header is no dict of NumPy's: expected `False`, found `Maybe, 'shap`"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2 3), }",
         "its header is no dict of NumPy's: expected `,`, found `3), }`"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (two,), }",
         "its header is no dict of NumPy's: expected `an integer`, found `two,), }`"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,)",
         "its header is no dict of NumPy's: expected `,`, found its end"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), } and more",
         "its header goes on after the dict"},
        {"{'descr': '<f4", "its header has a string that does not end"},
        {"{'descr': 4}", "its header is no dict of NumPy's: expected `'`, found `4}`"},
        {"", "its header is no dict of NumPy's: expected `{`, found its end"},
        {std::string("{'descr': '\x1b[2J'}"), "its header has bytes that are no text"},
        {"{'descr': '<f44444', 'fortran_order': False, 'shape': (2,), }",
         "it holds `<f44444`, which is no plain number of a fixed size"},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (2,), }",
         "it holds `|O`, which is no plain number of a fixed size"},
        {"{'descr': 'f0', 'fortran_order': False, 'shape': (2,), }",
         "it holds `f0`, which is no plain number of a fixed size"}};
    for (const auto& each : headers) {
        CAPTURE(each.first);
        CHECK(refusal(file(each.first, 8)) == each.second);
    }
    CHECK(refusal(file("{'descr': \"<f4\", 'fortran_order': False, 'shape': (2)}\n", 8)) == "read");
}

TEST_CASE("a file that ends early or is something else is refused, wherever it is cut") {
    CHECK(refusal("") == "it is no .npy file: it does not start with \\x93NUMPY");
    CHECK(refusal("PK\3\4") == "it is no .npy file: it does not start with \\x93NUMPY");
    CHECK(refusal(std::string("\x93NUMPY\x04\x00\x10\x00", 10)) ==
          "it is of version 4.0, and 1.0, 2.0 and 3.0 can be read");
    const std::string whole = contents("f16.npy");
    for (std::size_t length = 0; length < whole.size(); ++length) {
        CAPTURE(length);
        CHECK(refusal(whole.substr(0, length)) != "read");
    }
    CHECK(refusal(whole.substr(0, 60)) == "its header should have 118 bytes, but the file ends after 50");
}

TEST_CASE("a descriptor fits the dtypes that travel in it") {
    const std::vector<std::pair<std::string, std::string>> fits{{"<f4", "f32 tf32 b32"},
                                                                {"<f2", "f16 b16"},
                                                                {"<u2", "bf16 u16 b16"},
                                                                {"<V2", "bf16 b16"},
                                                                {"V2", "bf16 b16"},
                                                                {"|V1", "f8e4m3 f8e5m2 b8"},
                                                                {"|u1", "f8e4m3 f8e5m2 u8 b8"},
                                                                {"|i1", "s8 b8"},
                                                                {"<i2", "s16 b16"},
                                                                {"<u4", "tf32 u32 b32"},
                                                                {"<i4", "s32 b32"},
                                                                {"<f8", ""},
                                                                {"|b1", ""},
                                                                {">f4", ""},
                                                                {"nonsense", ""}};
    for (const auto& each : fits) {
        const std::string& descr = each.first;
        CAPTURE(descr);
        std::string names;
        for (const base::DtypeRow& row : base::dtype_rows) {
            if (npy_fits(descr, row.dtype)) names += (names.empty() ? "" : " ") + std::string(row.name);
        }
        CHECK(names == each.second);
    }
}

TEST_CASE("what a file holds is named in the words of the language") {
    CHECK(runtime::npy_text("<f4", {128, 4}) == "f32[128, 4]");
    CHECK(runtime::npy_text("|i1", {7}) == "s8[7]");
    CHECK(runtime::npy_text("<u2", {}) == "u16");
    CHECK(runtime::npy_text("<f8", {2}) == "f64[2]");
    CHECK(runtime::npy_text("<V2", {2, 2}) == "<V2[2, 2]");
}
