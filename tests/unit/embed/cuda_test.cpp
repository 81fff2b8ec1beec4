// The header of a function that is put together by hand: names that C++ or nvcc keep, operands, escapes and
// overloads. What nvcc makes of headers is tested by tests/cuda.py.
#include "embed/cuda.hpp"

#include "atlas/images.hpp"
#include "ptx/read.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace tmemc::embed {

namespace {

using base::Dtype;

/// function new(tmem acc, out C, scale: f32, r1: f16, out frag X atom 16x256b, in frag int: f16)
struct Made {
    sema::Program program;
    ptx::Module module;
    lower::Trace trace;

    Made() {
        program.target = module.target = "sm_100a";
        sema::Kernel& kernel = program.kernels.emplace_back();
        kernel.name = "new";
        kernel.function = true;
        fragment(kernel, "X", Dtype::f32, 64, 8, "16x256b");
        fragment(kernel, "int", Dtype::f16, 128, 4, "32x32b");
        const atlas::ImageRow& row = *atlas::datapath("F", 64);
        const layout::Layout layout = atlas::layout_of(row, 8, 32);
        kernel.buffer_images.push_back(
            {'F', 0, false, layout, std::get<layout::CellMap>(layout::cell_map(layout, 64, 8, 32))});
        kernel.buffers.push_back({"acc", Dtype::f32, 64, 8, 0, 0, 0, {}});
        sema::Tensor tensor;
        tensor.name = "C";
        tensor.dtype = Dtype::f8e4m3;
        tensor.direction = sema::Direction::out;
        tensor.extents = {64, 8};
        tensor.pitch = 8;
        using sema::Direction;
        kernel.parameters = {sema::TmemParameter{"acc", Direction::in, 0, {}},
                             tensor,
                             sema::Scalar{"scale", Dtype::f32, {}},
                             sema::Scalar{"r1", Dtype::f16, {}},
                             sema::FragmentParameter{"X", Direction::out, 0, {}},
                             sema::FragmentParameter{"int", Direction::in, 1, {}}};
        const base::Source source("f.ptx", R"(.version 8.6
.target sm_100a
.address_size 64
.visible .func new(.param .b32 acc, .param .b64 C)
{
    .reg .b32 %X_<4>;
    .reg .b32 %int_<2>;
    .reg .b32 %taddr, %acc, %scale;
    .reg .b32 %r1;
    .reg .b64 %C_base;
    ld.param.b32 %acc, [acc];
    mov.u32 %taddr, %tid.x;
    shl.b32 %taddr, %taddr, 16;
    add.u32 %taddr, %taddr, %acc;
    // f.tmx:3: copy \
    tcgen05.ld.sync.aligned.16x256b.x1.b32 {%X_0, %X_1, %X_2, %X_3}, [%taddr];
    tcgen05.wait::ld.sync.aligned;
    bra $next;
$next:
    mul.f32 %X_0, %X_0, %scale;
    st.global.b32 [%C_base], %int_0;
    st.global.b32 [%C_base+4], %r1;
    ret;
}
)");
        ptx::ReadResult read = ptx::read(source);
        REQUIRE(read.diagnostics.list.empty());
        module.functions = read.module.functions;
        std::vector<ptx::Statement>& body = module.functions[0].body;
        const auto loads = [](const ptx::Statement& each) {
            const auto* instruction = std::get_if<ptx::Instruction>(&each);
            return instruction && instruction->name == "ld.param.b32";
        };
        const auto prologue =
            static_cast<std::size_t>(std::find_if(body.begin(), body.end(), loads) - body.begin());
        body.insert(body.begin() + static_cast<std::ptrdiff_t>(prologue) + 1,
                    ptx::Comment{"f.tmx:3: copy \\"});
        lower::KernelTrace& kept = trace.kernels.emplace_back();
        kept.registers = {{"%X_0", "%X_1", "%X_2", "%X_3"}, {"%int_0", "%int_1"}};
        kept.bindings = {{0, "%acc", "b32"}, {1, "%C_base", "b64"}, {2, "%scale", "b32"}, {3, "%r1", "b32"}};
        kept.prologue = {prologue, prologue + 1};
    }

    static void fragment(sema::Kernel& kernel, const char* name, Dtype dtype, int rows, int cols,
                         const char* atom) {
        const layout::Layout layout = atlas::layout_of(*atlas::atom(atom, rows), cols, base::bits(dtype));
        auto map = layout::slot_map(layout, rows, cols, base::bits(dtype));
        kernel.fragment_images.push_back(
            {std::string("atom ") + atom, layout, std::get<layout::SlotMap>(std::move(map))});
        kernel.fragments.push_back({name, dtype, rows, cols, kernel.fragment_images.size() - 1, {}});
    }

    [[nodiscard]] std::string header(const Names& names = {}) const {
        return cuda_header({program, module, trace, "f\n\\.tmx", names});
    }
};

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }
int count(const std::string& text, std::string_view part) {
    int found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

} // namespace

TEST_SUITE_BEGIN("embed");

TEST_CASE("a header: names, operands, escapes and overloads") {
    const Made made;
    const std::string text = made.header();
    if (const char* path = std::getenv("CUDA_HEADER")) std::ofstream(path) << text;
    CHECK(holds(text, "// Written by tmemc from f??.tmx: functions"));
    CHECK(holds(text, "// C: out f8e4m3[64, 8], row-major, at a multiple of 32 bytes\n"));
    CHECK(holds(text, "constexpr int new_min_registers = 22;\n"));
    // Words of C++ get `_`; of the PTX, what nvcc itself might call a register.
    CHECK(holds(text, "void new_(uint32_t acc, __nv_fp8_e4m3* C, float scale, __half r1, uint32_t (&X)[4], "
                      "const uint32_t (&int_)[2]) {"));
    CHECK(holds(text, "\".reg .b32 %%r1$;\\n\\t\""));
    CHECK(holds(text, "\"st.global.b32 [%%C_base+4], %%r1$;\\n\\t\""));
    // Operands come in where the prologue stood, outputs first; the prologue and the return are gone.
    CHECK(holds(text, "\"mov.b32 %%acc, %4;\\n\\t\""));
    CHECK(holds(text, "\"mov.b64 %%C_base, %5;\\n\\t\""));
    CHECK(holds(text, "\"mov.b32 %%scale, %6;\\n\\t\""));
    CHECK(holds(text, "\"mov.b32 %%int_1, %9;\\n\\t\""));
    CHECK(holds(text, "\"mov.b32 %3, %%X_3;\\n\\t\""));
    CHECK(holds(text, "\"=r\"(X[3])"));
    CHECK(holds(text, "\"f\"(scale)"));
    CHECK(holds(text, "\"r\"(static_cast<uint32_t>(__half_as_ushort(r1)))"));
    CHECK_FALSE(holds(text, "ld.param"));
    CHECK_FALSE(holds(text, "ret;"));
    CHECK(holds(text, "// f.tmx:3: copy /\n"));
    // Each fragment as words or as elements.
    CHECK(count(text, "__device__ __forceinline__ void new_(") == 4);
    CHECK(holds(text, "float (&X)[4], const __half2 (&int_)[2])"));
    CHECK(holds(text, "constexpr int new_X_elements = 4;"));
    CHECK(holds(text, "constexpr int new_int_elements = 4;"));
    CHECK(holds(text, "constexpr int new_acc_columns = 8;"));
    CHECK(holds(text,
                "PLACE constexpr int new_X_col(int thread, int i) { return (thread & 3) * 2 + (i & 1); }"));
    CHECK(holds(text, "#include <cuda_fp8.h>"));
    CHECK_FALSE(holds(text, "#include <cuda_bf16.h>"));
}

TEST_CASE("a header is the same bytes every time, and another with other names") {
    const Made made;
    CHECK(made.header() == made.header());
    const std::string other = made.header({"my_", "a::b"});
    CHECK(holds(other, "void my_new("));
    CHECK(holds(other, "namespace a::b {"));
    const auto guard = [](const std::string& text) { return text.substr(text.find("#ifndef "), 30); };
    CHECK(guard(other) != guard(made.header()));
}

TEST_SUITE_END();

} // namespace tmemc::embed
