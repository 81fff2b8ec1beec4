// Tensor memory without tcgen05: an image of the columns that the kernel needs, in shared memory where it
// fits beside the staging area, else in a slice of global memory for each CTA, which a hidden last parameter
// points to. A message becomes a load or store of 4 bytes for each of its registers, every thread at the cell
// that the atom's map gives it. Cell (lane l, column c) is the word
//
//     128*c + (l ^ 8*c1 ^ 16*(c0 ^ c2))         c0, c1, c2: the lowest bits of c
//
//     ld 32x32b.x2, column 4:    ld.shared.b32 %X_0, [%cell+2048];      %cell: 4*(thread ^ 16) on
//                                ld.shared.b32 %X_1, [%cell$2+2560];    %cell$2: 4*thread on
//
// so a column is 128 words and its lanes stand in 32 banks, in an order of its own. 32x32b meets no bank
// twice. Neither do 16x64b, 16x128b and 16x256b from an even column on (columns c and c + 1, c to c + 3, and
// every second one of c to c + 7 differ in the bits that move a column's 8 or 16 lanes to other banks), nor
// 16x128b that packs; from an odd column on, and for the others that pack, at most two threads meet in a
// bank, and so do the halves of 16x32bx2 where they are a multiple of 8 columns apart.
//
// A wait is a barrier of the warp, because another lane may have stored what a lane loads; `sync` is one of
// the CTA. What is loaded is there at once, and nobody else has the columns, so nothing is allocated or
// freed. A store that unpacks clears the upper halves of its cells. Not here: ld.red. Banks: CUDA C++
// Programming Guide, "Shared Memory"; bar.warp.sync orders memory among its lanes: PTX ISA 9.7.13.2.
#pragma once

#include "lower/front_numbers.hpp"
#include "lower/lower.hpp"
#include "lower/tensor_memory.hpp"

#include <memory>

namespace tmemc::lower {

/// Where the cells of a kernel of so many columns are, when `staging` bytes of shared memory are taken.
[[nodiscard]] CellImage cell_image(KernelText& text, int columns, int staging);

[[nodiscard]] std::unique_ptr<TensorMemory> software_tensor_memory(KernelText& text,
                                                                   const sema::Kernel& kernel,
                                                                   FrontNumbers& numbers,
                                                                   const CellImage& image);

} // namespace tmemc::lower
