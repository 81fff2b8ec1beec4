// count_cubin FILE...: what src/toolchain reads from cubins, a line for each kernel:
//
//     x4.cubin roundtrip instructions 109 registers 14 spills 0 shared 4 waits 1+1 st:32x32b.x4 ld:32x32b.x4
//
// spills are bytes both ways, waits those for stores and those for loads. sass.py makes its table of it.
#include "toolchain/cubin.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>

int main(int count, char** words) {
    int status = 0;
    for (int i = 1; i < count; ++i) {
        std::ifstream file(words[i], std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        const tmemc::toolchain::Cubin cubin = tmemc::toolchain::read_cubin(bytes);
        if (!cubin.error.empty()) {
            std::fprintf(stderr, "%s: %s\n", words[i], cubin.error.c_str());
            status = 1;
        }
        for (const tmemc::toolchain::CubinKernel& kernel : cubin.kernels) {
            const tmemc::toolchain::SassCounts code = kernel.code.value_or(tmemc::toolchain::SassCounts{});
            std::printf("%s %s instructions %d registers %d spills %d shared %llu waits %d+%d", words[i],
                        kernel.name.c_str(), code.instructions, kernel.registers,
                        code.spill_stores + code.spill_loads,
                        static_cast<unsigned long long>(kernel.shared_bytes), code.store_waits,
                        code.load_waits.value_or(-1));
            for (const tmemc::toolchain::TensorMove& move : code.moves)
                std::printf(" %s:%s.x%d", move.store ? "st" : "ld", move.shape.c_str(), move.num);
            std::printf("\n");
        }
    }
    return status;
}
