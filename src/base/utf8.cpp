// The first byte says how long a sequence is and which values it may spell; RFC 3629, section 3.
#include "base/utf8.hpp"

namespace tmemc::base {

namespace {

struct Form { // of a sequence, by its first byte
    unsigned mask, lead;
    std::size_t bytes;
    char32_t smallest; // below it the form is overlong
};
constexpr Form forms[] = {
    {0x80, 0x00, 1, 0x0}, {0xe0, 0xc0, 2, 0x80}, {0xf0, 0xe0, 3, 0x800}, {0xf8, 0xf0, 4, 0x10000}};

constexpr CodePoint malformed{0xfffd, 1, false};

} // namespace

CodePoint first_code_point(std::string_view text) {
    if (text.empty()) return {};
    const auto byte = [&](std::size_t i) -> unsigned { return static_cast<unsigned char>(text[i]); };
    for (const Form& form : forms) {
        if ((byte(0) & form.mask) != form.lead) continue;
        if (text.size() < form.bytes) return malformed;
        char32_t value = byte(0) & ~form.mask & 0xffu;
        for (std::size_t i = 1; i < form.bytes; ++i) {
            if ((byte(i) & 0xc0) != 0x80) return malformed;
            value = value << 6 | (byte(i) & 0x3f);
        }
        const bool surrogate = value >= 0xd800 && value <= 0xdfff;
        if (value < form.smallest || value > 0x10ffff || surrogate) return malformed;
        return {value, form.bytes, true};
    }
    return malformed;
}

} // namespace tmemc::base
