// The words that C99, C++20 and CUDA C++ keep, and macros that common headers define without parentheses.
#include "embed/names.hpp"

#include <algorithm>
#include <cctype>

namespace tmemc::embed {
namespace {

// C++20 [lex.key], [lex.digraph]; C99 6.4.1; the types that our own code uses; then macros of <complex.h>,
// <errno.h>, <stdio.h>, <stdbool.h>, <windows.h> and of compilers in their GNU dialects.
constexpr std::string_view kept =
    " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t "
    "char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr "
    "constinit continue decltype default delete do double dynamic_cast else enum explicit export "
    "extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq "
    "nullptr operator or or_eq private protected public register reinterpret_cast requires restrict "
    "return short signed sizeof static static_assert static_cast struct switch template this "
    "thread_local throw true try typedef typeid typename typeof union unsigned using virtual void "
    "volatile wchar_t while xor xor_eq int8_t int16_t int32_t uint8_t uint16_t uint32_t uint64_t "
    "size_t blockDim blockIdx gridDim threadIdx warpSize main I complex imaginary errno assert EOF "
    "NULL BUFSIZ stdin stdout stderr unix linux i386 near far IN OUT OPTIONAL small interface TRUE "
    "FALSE CONST "
    // <math.h> and <stdlib.h>, <string.h> that our own code calls, and CUDA's own types.
    "NAN INFINITY HUGE_VAL HUGE_VALF HUGE_VALL FP_NAN FP_INFINITE FP_ZERO FP_SUBNORMAL FP_NORMAL "
    "MATH_ERRNO MATH_ERREXCEPT math_errhandling MAXFLOAT M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 "
    "M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2 EXIT_SUCCESS EXIT_FAILURE CHAR_BIT memcpy std "
    "posix SEEK_SET SEEK_CUR SEEK_END RTLD_LAZY RTLD_NOW RTLD_GLOBAL RTLD_LOCAL dim3 half half2 nv_half "
    "nv_half2 nv_bfloat16 nv_bfloat162 "
    // Macros of launch.h.
    "TMEMC_RELEASE TMEMC_ACQUIRE TMEMC_CONTEXTS TMEMC_LOCK TMEMC_UNLOCKED TMEMC_BAD_ARGUMENT TMEMC_NO_DRIVER "
    "TMEMC_NO_CUBIN TMEMC_MEMBER TMEMC_LIKE_PRINTF TMEMC_LAUNCH TMEMC_FIND TMEMC_DRIVER_CALLS TMEMC_CALL ";
constexpr std::string_view vectors = // of one to four: CUDA's float2
    " char uchar short ushort int uint long ulong longlong ulonglong float double ";

bool listed(std::string_view list, std::string_view name) {
    return list.find(" " + std::string(name) + " ") != std::string_view::npos;
}

/// INT_MAX, UINT32_MAX, FLT_MIN and their like.
bool is_limit(std::string_view name) {
    const std::string_view end = name.size() > 4 ? name.substr(name.size() - 4) : "";
    return (end == "_MAX" || end == "_MIN") &&
           std::none_of(name.begin(), name.end(), [](unsigned char c) { return std::islower(c) != 0; });
}

bool is_kept(std::string_view name) {
    const bool vector = !name.empty() && name.back() >= '1' && name.back() <= '4';
    return listed(kept, name) || is_limit(name) ||
           (vector && listed(vectors, name.substr(0, name.size() - 1)));
}

/// Those that begin with two underscores or with one and a capital are the compiler's.
bool is_reserved(std::string_view name) {
    return name.size() > 1 && name[0] == '_' &&
           (name[1] == '_' || std::isupper(static_cast<unsigned char>(name[1])) != 0);
}

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_name(char c) { return starts_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

} // namespace

std::string free_name(std::string_view name, const std::vector<std::string>& taken) {
    std::string made(name);
    if (is_reserved(name)) made = as_name(name.substr(std::min(name.find_first_not_of('_'), name.size())));
    while (is_kept(made) || std::find(taken.begin(), taken.end(), made) != taken.end()) made += '_';
    return made;
}

std::string as_name(std::string_view text) {
    std::string made(text);
    std::replace_if(
        made.begin(), made.end(), [](char c) { return !continues_name(c); }, '_');
    if (made.empty() || !starts_name(made.front())) made.insert(made.begin(), '_');
    return made;
}

std::string before_underscore(std::string_view name) {
    return std::string(name) + (name == "tmemc" ? "_" : "");
}

std::string in_comment(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return (c >= 0 && c < ' ') || c == '\\' || c == 0x7f; }, '?');
    return text;
}

bool is_name(std::string_view text, bool allow_scopes) {
    const std::size_t scope = allow_scopes ? text.find("::") : std::string_view::npos;
    if (scope != std::string_view::npos)
        return is_name(text.substr(0, scope)) && is_name(text.substr(scope + 2), true);
    return !text.empty() && starts_name(text.front()) &&
           std::all_of(text.begin(), text.end(), continues_name) && free_name(text) == text;
}

} // namespace tmemc::embed
