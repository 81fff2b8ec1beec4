// What is legal, as tables of their own: how far .xN goes for each shape and what one message of it takes,
// and which datapaths and fragment images there are, with their rows, the multiple of words that a row must
// have, and whether a sub-slab may be chosen. The compiler says the same in the rows of src/atlas; these
// tables never look there. Sources: for shapes, the table of PTX ISA 9.7.16.8 and what ptxas 13.0 assembles
// (for example it takes 16x128b up to .x64 and refuses .x128); for images, the two tables of the language
// reference ("Tensor memory", "Fragments and layouts").
#pragma once

#include <array>
#include <string_view>

namespace tmemc::oracle {

struct LegalShape {
    std::string_view name;
    int max_num;   // largest .xN
    int registers; // of a thread for .x1
    int columns;   // of .x1, of each half of a split shape
    int lanes;     // of a warp's 32 that a message, or each half of it, touches
    bool split;    // takes an immHalfSplitoff
};
inline constexpr std::array<LegalShape, 5> legal_shapes{{
    {"32x32b", 128, 1, 1, 32, false},
    {"16x64b", 128, 1, 2, 16, false},
    {"16x128b", 64, 2, 4, 16, false},
    {"16x256b", 32, 4, 8, 16, false},
    {"16x32bx2", 128, 1, 1, 16, true},
}};

struct LegalImage {
    std::string_view name;
    int rows;
    int word_multiple;
    bool sub_slab;
};
inline constexpr std::array<LegalImage, 7> legal_datapaths{{
    {"A", 128, 1, false},
    {"B", 64, 2, false},
    {"C", 64, 1, true},
    {"D", 128, 1, false},
    {"E", 64, 2, false},
    {"F", 64, 1, true},
    {"G", 32, 4, false},
}};
inline constexpr std::array<LegalImage, 10> legal_atoms{{
    {"32x32b", 128, 1, false},
    {"32x32b", 64, 2, false},
    {"32x32b", 32, 4, false},
    {"16x64b", 128, 2, false},
    {"16x64b", 64, 2, false},
    {"16x128b", 128, 4, false},
    {"16x128b", 64, 4, false},
    {"16x256b", 128, 8, false},
    {"16x256b", 64, 8, false},
    {"16x32bx2", 64, 2, false},
}};

} // namespace tmemc::oracle
