// Launches kernels of a .tmx file from C++: sizes that are known at launch, names in a namespace, memory that
// frees itself, failures as exceptions.
//
//     build/tmemc build examples/masked_tail.tmx -arch=sm_100f,sm_110f --emit=header --namespace=kernels
//     c++ -std=c++17 -I. examples/embed/masked_tail.cpp -o masked_tail && ./masked_tail
//
// Ends with 0, with 4 when a value came back wrong, and with 3 and the reason when no kernel could be
// launched.
#include "masked_tail.h"

#include <iostream>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

void check(const tmemc_result& result) {
    if (result.code != 0) throw std::runtime_error(result.message);
}

struct Release {
    void operator()(void* address) const { (void)tmemc_release(address); }
};
using DeviceMemory = std::unique_ptr<void, Release>;

DeviceMemory allocate(std::size_t bytes) {
    void* address = nullptr;
    check(tmemc_allocate(&address, bytes));
    return DeviceMemory(address);
}

/// Rows of 72 elements of 16 bits, `pitch` apart, through store_tiles, which makes them 72 apart.
std::vector<std::uint16_t> packed(const std::vector<std::uint16_t>& rows, std::uint32_t count,
                                  std::uint32_t pitch) {
    std::vector<std::uint16_t> made(std::size_t{count} * 72);
    const DeviceMemory A = allocate(rows.size() * 2), B = allocate(made.size() * 2);
    check(tmemc_upload(A.get(), rows.data(), rows.size() * 2));
    // The grid of the program is enough for 384 rows; of so few rows fewer CTAs take care.
    const unsigned tiles = (count + 127) / 128;
    check(kernels::store_tiles_launch_grid(tiles, 2, 1, A.get(), B.get(), count, pitch, nullptr));
    check(tmemc_synchronize(nullptr));
    check(tmemc_download(made.data(), B.get(), made.size() * 2));
    return made;
}

} // namespace

int main() {
    constexpr std::uint32_t count = 200, pitch = 80;
    std::vector<std::uint16_t> rows(std::size_t{count} * pitch);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::uint16_t>(0x3c00 + i % 1024);
    try {
        check(tmemc_use_device(0));
        const std::vector<std::uint16_t> made = packed(rows, count, pitch);
        std::size_t wrong = 0;
        for (std::size_t r = 0; r < count; ++r)
            for (std::size_t c = 0; c < 72; ++c) wrong += made[r * 72 + c] != rows[r * pitch + c];
        std::cout << made.size() - wrong << " of " << made.size() << " elements came back\n";
        return wrong == 0 ? 0 : 4;
    } catch (const std::exception& failure) {
        std::cerr << "masked_tail: " << failure.what() << '\n';
        return 3;
    }
}
