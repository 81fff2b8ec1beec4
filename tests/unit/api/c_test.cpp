// The C API says what the C++ API says, by words; handles that are NULL and words that mean nothing are
// answered.
#include "api/tmemc.h"
#include "api/tmemc.hpp"
#include "programs.hpp"

#include <memory>

using namespace tmemc;

namespace {

struct Free {
    void operator()(tmemc_options* options) const { tmemc_options_free(options); }
    void operator()(tmemc_compilation* made) const { tmemc_compilation_free(made); }
};
using Options = std::unique_ptr<tmemc_options, Free>;
using Compilation = std::unique_ptr<tmemc_compilation, Free>;

std::string get(const Compilation& made, const char* what) {
    std::size_t bytes = 0;
    const char* const text = tmemc_compilation_get(made.get(), what, &bytes);
    REQUIRE(text != nullptr);
    CHECK(text[bytes] == '\0');
    return {text, bytes};
}

} // namespace

TEST_CASE("outputs and kernels") {
    const std::string text = tests::text_of("../examples/masked_tail.tmx");
    const Options options(tmemc_options_new());
    CHECK(tmemc_options_set(options.get(), "output", "ptx,plan,ast") == 0);
    CHECK(tmemc_options_set(options.get(), "name", "tail.tmx") == 0);
    const Compilation made(tmemc_compile(text.data(), text.size(), options.get()));
    CHECK(tmemc_compilation_status(made.get()) == TMEMC_STATUS_OK);
    api::Options same;
    same.name = "tail.tmx";
    same.outputs = {api::Kind::ptx, api::Kind::plan, api::Kind::ast};
    const api::Result expected = api::compile(text, same);
    CHECK(get(made, "ptx") == expected.ptx);
    CHECK(get(made, "plan") == expected.plan);
    CHECK(get(made, "ast") == expected.ast);
    CHECK(get(made, "target") == expected.target);
    CHECK(get(made, "cubin").empty());
    CHECK(get(made, "message").empty());
    REQUIRE(tmemc_kernel_count(made.get()) == expected.kernels.size());
    REQUIRE(expected.kernels.size() > 1);
    for (std::size_t k = 0; k < expected.kernels.size(); ++k) {
        std::uint32_t grid[3], threads = 0;
        std::uint64_t scratch = 1;
        tmemc_kernel_launch(made.get(), k, grid, &threads, &scratch);
        CHECK(tmemc_kernel_name(made.get(), k) == expected.kernels[k].name);
        CHECK(std::array<std::uint32_t, 3>{grid[0], grid[1], grid[2]} == expected.kernels[k].grid);
        CHECK(threads == expected.kernels[k].threads);
        CHECK(scratch == 0);
    }
}

TEST_CASE("what a kernel takes") {
    const std::string text =
        "kernel k(in A: f16[n, 64] pitch p align 16, inout B: f32[128, 8], out C: u8[256], n: u32, p: u32,\n"
        "         x: s16) {\n}\n";
    const api::Result expected = api::compile(text, {});
    REQUIRE(expected.status == api::Status::ok);
    const std::vector<api::Parameter>& all = expected.kernels.front().parameters;
    REQUIRE(all.size() == 6);
    CHECK(all[0].shape == std::vector<std::uint64_t>{0, 64});
    CHECK(all[1].shape == std::vector<std::uint64_t>{128, 8});
    CHECK(all[2].shape == std::vector<std::uint64_t>{256});
    const Compilation made(tmemc_compile(text.data(), text.size(), nullptr));
    REQUIRE(tmemc_parameter_count(made.get(), 0) == all.size());
    const auto told = [&](std::size_t p) {
        std::string line;
        for (const char* what : {"kind", "name", "type", "direction", "extent-from", "pitch-from"}) {
            const char* const word = tmemc_parameter_get(made.get(), 0, p, what, nullptr);
            line += std::string(word == nullptr ? "NULL" : word) + ' ';
        }
        for (const char* what : {"bits", "dimensions", "extent", "columns", "pitch", "align"})
            line += std::to_string(tmemc_parameter_number(made.get(), 0, p, what)) + ' ';
        return line;
    };
    CHECK(told(0) == "tensor A f16 in n p 16 2 0 64 0 16 ");
    CHECK(told(1) == "tensor B f32 inout   32 2 128 8 8 32 ");
    CHECK(told(2) == "tensor C u8 out   8 1 256 256 256 32 ");
    CHECK(told(3) == "scalar n u32 NULL NULL NULL 32 0 0 0 0 0 ");
    CHECK(told(5) == "scalar x s16 NULL NULL NULL 16 0 0 0 0 0 ");
    CHECK(told(6) == "NULL NULL NULL NULL NULL NULL 0 0 0 0 0 0 "); // nobody
    CHECK(tmemc_parameter_get(made.get(), 0, 0, "colour", nullptr) == nullptr);
    CHECK(tmemc_parameter_number(made.get(), 0, 0, nullptr) == 0);
    CHECK(tmemc_parameter_count(made.get(), 1) == 0);
    CHECK(tmemc_parameter_count(nullptr, 0) == 0);
    for (std::size_t p = 0; p < all.size(); ++p) CHECK(told(p).find(' ' + all[p].name + ' ') == 6);
}

TEST_CASE("diagnostics") {
    const Compilation made(tmemc_compile(tests::wrong.data(), tests::wrong.size(), nullptr));
    CHECK(tmemc_compilation_status(made.get()) == TMEMC_STATUS_SOURCE);
    const api::Result expected = api::compile(tests::wrong, {});
    REQUIRE(tmemc_diagnostic_count(made.get()) == expected.diagnostics.size());
    for (std::size_t d = 0; d < expected.diagnostics.size(); ++d) {
        const api::Diagnostic& each = expected.diagnostics[d];
        CHECK(tmemc_diagnostic_get(made.get(), d, "code", nullptr) == each.code);
        CHECK(tmemc_diagnostic_get(made.get(), d, "message", nullptr) == each.message);
        CHECK(tmemc_diagnostic_get(made.get(), d, "text", nullptr) == each.text);
        CHECK(tmemc_diagnostic_get(made.get(), d, "json", nullptr) == each.json);
        CHECK(tmemc_diagnostic_severity(made.get(), d) == TMEMC_SEVERITY_ERROR);
        const tmemc_range range = tmemc_diagnostic_range(made.get(), d);
        CHECK(range.begin_line == each.range.begin.line);
        CHECK(range.end_column == each.range.end.column);
        CHECK(range.begin_offset == each.range.begin.offset);
        REQUIRE(tmemc_detail_count(made.get(), d, "label") == each.labels.size());
        for (std::size_t l = 0; l < each.labels.size(); ++l) {
            CHECK(tmemc_detail_get(made.get(), d, "label", l, nullptr) == each.labels[l].text);
            CHECK(tmemc_label_range(made.get(), d, l).begin_line == each.labels[l].range.begin.line);
        }
        CHECK(tmemc_detail_count(made.get(), d, "help") == each.helps.size());
        for (std::size_t h = 0; h < each.helps.size(); ++h)
            CHECK(tmemc_detail_get(made.get(), d, "help", h, nullptr) == each.helps[h]);
        CHECK(tmemc_detail_count(made.get(), d, "note") == each.notes.size());
    }
}

TEST_CASE("options are words") {
    struct Row {
        const char *option, *value;
        int status;
    };
    const Options options(tmemc_options_new());
    for (const Row& row : {Row{"target", "sm_103a", 0},
                           Row{"define", "N=64", 0},
                           Row{"define", "N", 2},
                           Row{"define", "=1", 2},
                           Row{"define", "N=x", 2},
                           Row{"tensor-memory", "auto", 0},
                           Row{"tensor-memory", "soft", 2},
                           Row{"max-message", "64", 0},
                           Row{"max-message", "64x", 2},
                           Row{"max-message", "3", 2},
                           Row{"max-message", "256", 2},
                           Row{"max-message", "0", 2},
                           Row{"max-message", "-1", 2},
                           Row{"max-message", "99999999999999", 2},
                           Row{"auto-wait", "1", 0},
                           Row{"auto-wait", "yes", 2},
                           Row{"comments", "0", 0},
                           Row{"verify", "0", 0},
                           Row{"ptxas", "/usr/bin/ptxas", 0},
                           Row{"ptxas-flag", "-O2", 0},
                           Row{"ptxas-timeout", "1000", 0},
                           Row{"ptxas-timeout", "-1", 2},
                           Row{"output", "ptx,nothing", 2},
                           Row{"output", "", 0},
                           Row{"prefix", "my_", 0},
                           Row{"namespace", "mine", 0},
                           Row{"colour", "red", 2}}) {
        INFO(row.option, "=", row.value);
        CHECK(tmemc_options_set(options.get(), row.option, row.value) == row.status);
    }
    // They reach the compiler: this target and this size, no comments, and an output again.
    REQUIRE(tmemc_options_set(options.get(), "output", "ptx") == 0);
    const std::string text =
        "const N = 8;\nkernel k(in A: f32[128, N]) {\n  frag X: f32[128, N];\n  copy X <- A;\n}\n";
    const Compilation made(tmemc_compile(text.data(), text.size(), options.get()));
    CHECK(get(made, "target") == "sm_103a");
    CHECK(get(made, "ptx").find("%X_63") != std::string::npos);
    CHECK(get(made, "ptx").find("copy X") == std::string::npos);
}

TEST_CASE("nothing is needed") {
    tmemc_options_free(nullptr);
    tmemc_compilation_free(nullptr);
    CHECK(tmemc_options_set(nullptr, "name", "x") == TMEMC_STATUS_OPTION);
    CHECK(tmemc_compilation_status(nullptr) == TMEMC_STATUS_OUT_OF_MEMORY);
    std::size_t bytes = 7;
    CHECK(tmemc_compilation_get(nullptr, "ptx", &bytes) == std::string());
    CHECK(bytes == 0);
    CHECK(tmemc_compilation_get(nullptr, "nothing", &bytes) == nullptr);
    CHECK(tmemc_diagnostic_count(nullptr) == 0);
    CHECK(tmemc_kernel_count(nullptr) == 0);
    const Compilation made(tmemc_compile(nullptr, 5, nullptr));
    CHECK(tmemc_compilation_status(made.get()) == TMEMC_STATUS_OK);
    CHECK(tmemc_compilation_get(made.get(), "nothing", nullptr) == nullptr);
    CHECK(tmemc_compilation_get(made.get(), nullptr, nullptr) == nullptr);
    CHECK(tmemc_kernel_name(made.get(), 0) == nullptr);
    CHECK(tmemc_diagnostic_get(made.get(), 0, "code", nullptr) == nullptr);
    CHECK(tmemc_diagnostic_range(made.get(), 0).begin_line == 0);
    CHECK(tmemc_detail_get(made.get(), 0, "note", 0, nullptr) == nullptr);
    CHECK(tmemc_detail_count(made.get(), 0, nullptr) == 0);
}

TEST_CASE("the header's version is the library's") {
    const std::string macros = std::to_string(TMEMC_VERSION_MAJOR) + "." +
                               std::to_string(TMEMC_VERSION_MINOR) + "." +
                               std::to_string(TMEMC_VERSION_PATCH);
    CHECK(tmemc_version() == macros);
    CHECK(api::version() == macros);
}
