// Fuzz target: any bytes as a .npy file. It is refused with a sentence, or what it holds has as many bytes as
// its header says, and a name in the words of the language.
#include "fuzz.hpp"

#include "runtime/npy.hpp"

using namespace tmemc::runtime;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view contents(reinterpret_cast<const char*>(data), size);
    const auto start = read_npy_start(contents);
    const auto file = read_npy(contents);
    if (const auto* refused = std::get_if<std::string>(&file)) {
        fuzz::demand(!refused->empty(), "a refusal has a sentence");
        return 0;
    }
    fuzz::demand(std::holds_alternative<NpyHeader>(start), "a whole file has a header");
    const auto& read = std::get<NpyFile>(file);
    fuzz::demand(read.bytes.size() <= size, "no more bytes than the file has");
    std::size_t count = 1;
    for (const std::int64_t extent : read.shape) count *= static_cast<std::size_t>(extent);
    fuzz::demand(count == 0 ? read.bytes.empty() : read.bytes.size() % count == 0,
                 "each element has its bytes");
    fuzz::demand(!npy_text(read.descr, read.shape).empty(), "what it holds has a name");
    return 0;
}
