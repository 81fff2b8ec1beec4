// One row per element type.
#include "embed/cuda_types.hpp"

#include <array>

namespace tmemc::embed {
namespace {

using base::Dtype;

// clang-format off
constexpr auto rows = std::to_array<CudaType>({
    {Dtype::f32,    "float",         "float",           "",            ""},
    {Dtype::f16,    "__half",        "__half2",         "cuda_fp16.h", "__half_as_ushort({})"},
    {Dtype::bf16,   "__nv_bfloat16", "__nv_bfloat162",  "cuda_bf16.h", "__bfloat16_as_ushort({})"},
    {Dtype::tf32,   "float",         "float",           "",            ""},
    {Dtype::f8e4m3, "__nv_fp8_e4m3", "__nv_fp8x4_e4m3", "cuda_fp8.h",  "{}.__x"},
    {Dtype::f8e5m2, "__nv_fp8_e5m2", "__nv_fp8x4_e5m2", "cuda_fp8.h",  "{}.__x"},
    {Dtype::u8,     "uint8_t",       "uchar4",          "",            "{}"},
    {Dtype::s8,     "int8_t",        "char4",           "",            "{}"},
    {Dtype::u16,    "uint16_t",      "ushort2",         "",            "{}"},
    {Dtype::s16,    "int16_t",       "short2",          "",            "{}"},
    {Dtype::u32,    "uint32_t",      "",                "",            "{}"},
    {Dtype::s32,    "int32_t",       "int32_t",         "",            "{}"},
    {Dtype::b8,     "uint8_t",       "uchar4",          "",            "{}"},
    {Dtype::b16,    "uint16_t",      "ushort2",         "",            "{}"},
    {Dtype::b32,    "uint32_t",      "",                "",            "{}"},
});
// clang-format on
static_assert(rows.size() == base::dtype_rows.size());

} // namespace

const CudaType& cuda_type(base::Dtype dtype) { return rows[static_cast<std::size_t>(dtype)]; }

} // namespace tmemc::embed
