// Rows that loads fold on their way, tcgen05.ld.red: where it is done and where not, the same values as
// without (bit patterns, NaNs, infinities and both zeros among them), ptxas takes it, and verify finds what
// is wrong in the text and in the choice.
#include "launch.hpp"
#include "pipeline.hpp"
#include "skip.hpp"
#include "toolchain/ptxas.hpp"
#include "verify/fusions.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <random>

using namespace tmemc;

namespace {

using test::Bytes, test::launched;

Compilation compiled(const std::string& text, const char* target, int max_message = 128) {
    CompileOptions options;
    options.check.target = target;
    options.match.max_message = max_message;
    Compilation made = compile(base::Source("k.tmx", text), options);
    REQUIRE_MESSAGE(made.ok(), made.diagnostics.list.front().message);
    return made;
}

int count(const std::string& text, const std::string& what) {
    int found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
    return found;
}

/// A tile through tensor memory and back, and then `body`; M is a number for each row.
std::string round_trip(const std::string& body, const char* dtype = "f32", const char* tile = "128, 32",
                       const char* atom = "32x32b", const char* datapath = "D") {
    return fmt::format("kernel k(in A: {0}[{1}], out R: {0}[{5}]) {{\n  tmem T: {0}[{1}] datapath {3};\n"
                       "  frag X: {0}[{1}] atom {2}; frag M: {0}[{5}] atom {2};\n"
                       "  copy X <- A direct; copy_async T <- X; wait st;\n  {4}\n  copy R <- M;\n}}\n",
                       dtype, tile, atom, datapath, body,
                       std::string(tile).substr(0, std::string(tile).find(',')));
}

struct Case {
    const char* what;
    int folds; // instructions that fold
    std::string text;
    int max_message = 128;
};
const std::string load = "copy_async X <- T; wait ld; ";

const std::vector<Case>& cases() {
    static const std::vector<Case> list{
        {"a maximum", 1, round_trip(load + "M = row_max(X);")},
        {"a minimum", 1, round_trip(load + "M = row_min(X);")},
        {"of magnitudes", 1, round_trip(load + "M = row_max(abs(X));")},
        {"u32", 1, round_trip(load + "M = row_max(X);", "u32")},
        {"s32", 1, round_trip(load + "M = row_min(X);", "s32")},
        {"two halves", 1, round_trip(load + "M = row_max(X);", "f32", "64, 32", "16x32bx2", "F")},
        {"three messages", 3, round_trip(load + "M = row_max(X);", "f32", "128, 56")},
        {"narrow messages", 8, round_trip(load + "M = row_max(X);"), 4},
        {"several loads", 2,
         round_trip(
             "for c in 0..2 { copy_async X[:, c*16 +: 16] <- T[:, c*16 +: 16]; } wait ld; M = row_max(X);")},
        {"a slice", 1, round_trip("copy_async X[:, 8:16] <- T[:, 0:8]; wait ld; M = row_max(X[:, 8:16]);")},
        {"twice the same", 1, round_trip(load + "M = row_max(X); X = X - rows(row_max(X)); M = row_sum(X);")},
        {"the second of two kinds", 1, round_trip(load + "M = row_max(X); M = row_min(X);")},
        {"inside an expression", 1, round_trip(load + "X = X - rows(row_max(X)); M = row_sum(X);")},
        {"in each turn", 2,
         round_trip(
             "M = -1e38; for c in 0..2 { frag Y: f32[128, 16]; copy_async Y <- T[:, c*16 +: 16]; wait ld; "
             "M = max(M, row_max(Y)); }")},
        {"columns in another order", 1,
         "kernel k(in A: f32[128, 8], out R: f32[128]) {\n  tmem T: f32[128, 8];\n"
         "  tmem V: f32[128, 8] layout S[(128, 4, 2) : (1@TLane, 1@TCol, 4@TCol)] at T;\n"
         "  frag X: f32[128, 8]; frag M: f32[128];\n  copy X <- A; copy_async T <- X; wait st;\n"
         "  copy_async X <- V; wait ld; M = row_max(X);\n  copy R <- M;\n}\n"},
        // Not these.
        {"a sum", 0, round_trip(load + "M = row_sum(X);")},
        {"computed elements", 0, round_trip(load + "M = row_max(X + 1.0);")},
        {"f16", 0, round_trip(load + "M = row_max(X);", "f16")},
        {"tf32", 0, round_trip(load + "M = cast<tf32>(row_max(X));", "tf32")},
        {"rows across lanes", 0, round_trip(load + "M = row_max(X);", "f32", "128, 32", "16x256b")},
        {"part of a load", 0, round_trip(load + "M = row_max(X[:, 0:16]);")},
        {"more than the load", 0,
         round_trip("copy_async X[:, 0:16] <- T[:, 0:16]; wait ld; M = row_max(X);")},
        {"overwritten", 0, round_trip(load + "X[:, 3:5] = 0.0; M = row_max(X);")},
        {"overwritten in some rows", 0, round_trip(load + "X[0:4, :] = 0.0; M = row_max(X);")},
        {"some rows", 0,
         round_trip(load + "M[0:32] = row_max(X[0:32, :]); M[32:128] = row_max(X[32:128, :]);")},
        {"overlapping loads", 0,
         round_trip(load + "copy_async X[:, 0:8] <- T[:, 8:16]; wait ld; M = row_max(X);")},
        {"one column", 0, round_trip(load + "M = row_max(X);", "f32", "128, 1")},
        {"two columns cost as much", 0, round_trip(load + "M = row_max(X);", "f32", "128, 2")},
        {"a message of one register", 0, round_trip(load + "M = row_max(X);", "f32", "128, 33")},
        {"messages of two cost more", 0, round_trip(load + "M = row_max(X);"), 2},
        {"no wait between", 0, round_trip("copy_async X <- T; M = row_max(X); wait ld;")},
        {"another warpgroup's load", 0,
         "kernel k(in A: f32[128, 32], out R: f32[128]) warpgroups(2) {\n  tmem T: f32[128, 32];\n"
         "  frag X: f32[128, 32]; frag M: f32[128];\n"
         "  on warpgroup 0 { copy X <- A; copy_async T <- X; wait st; }\n  sync;\n"
         "  copy_async X <- T; wait ld;\n  on warpgroup 1 { M = row_max(X); copy R <- M; }\n}\n"},
    };
    return list;
}

/// Rows of any bits; every fourth element one of those that are special as f32.
Bytes patterns(std::size_t count) {
    constexpr std::uint32_t special[] = {0,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00000,
                                         0xffffffff, 0x7f800001, 1,          0x80000001};
    std::mt19937 random(5);
    Bytes bytes(count * 4);
    for (std::size_t i = 0; i < count; ++i) {
        auto word = static_cast<std::uint32_t>(random());
        if (i % 4 == 0) word = special[random() % std::size(special)];
        if (i / 64 == 3) word = special[4 + random() % 3]; // NaNs alone
        if (i / 64 == 4) word = special[random() % 2];     // zeros alone
        std::memcpy(bytes.data() + i * 4, &word, 4);
    }
    return bytes;
}

} // namespace

TEST_CASE("loads fold where that is cheaper and means the same, on targets that can") {
    const bool assembler = !toolchain::find_ptxas().path.empty();
    if (!assembler) tests::skipped("ld.red against ptxas", "no ptxas");
    std::map<bool, int> seen;
    for (const Case& each : cases()) {
        CAPTURE(each.what);
        const Compilation plain = compiled(each.text, "sm_100a", each.max_message);
        CHECK(count(plain.ptx.text, ".red.") == 0);
        CHECK(plain.fused == plain.program);
        for (const char* target : {"sm_103a", "sm_103f", "sm_110a", "sm_110f"}) {
            CAPTURE(target);
            const Compilation made = compiled(each.text, target, each.max_message);
            CHECK(count(made.ptx.text, "tcgen05.ld.red.") == each.folds);
            const auto checked = verify_text(made);
            CHECK_MESSAGE(!checked.mismatch, verify::to_string(checked.mismatch.value_or(verify::Mismatch{}),
                                                               base::Source("k.tmx", each.text)));
            if (assembler) {
                toolchain::PtxasOptions options;
                options.target = target;
                CHECK(toolchain::assemble(made.ptx.text, options).status == toolchain::Assembled::Status::ok);
            }
        }
        ++seen[each.folds != 0];
    }
    CHECK(seen[true] == 15);
    CHECK(seen[false] == 17);
}

TEST_CASE("values are the same with and without") {
    int differ_from_nan = 0;
    for (const Case& each : cases()) {
        if (each.folds == 0 || each.text.find("warpgroups") != std::string::npos) continue;
        CAPTURE(each.what);
        const Compilation plain = compiled(each.text, "sm_100a", each.max_message),
                          made = compiled(each.text, "sm_103a", each.max_message);
        const auto& parameters = plain.program.kernels[0].parameters;
        const auto bytes = [&](std::size_t p) {
            return static_cast<std::size_t>(std::get<sema::Tensor>(parameters[p]).elements());
        };
        const std::vector<Bytes> tensors{patterns(bytes(0)), Bytes(bytes(1) * 4)};
        const Bytes expected = launched(plain.ptx.text, tensors)[1],
                    found = launched(made.ptx.text, tensors)[1];
        CHECK(expected == found);
        std::uint32_t word = 0;
        for (std::size_t i = 0; i + 4 <= found.size(); i += 4) {
            std::memcpy(&word, found.data() + i, 4);
            differ_from_nan += (word & 0x7fffffff) <= 0x7f800000 ? 1 : 0;
        }
    }
    CHECK(differ_from_nan > 500);
}

TEST_CASE("verify finds a wrong fold in the text") {
    const std::map<std::string, std::pair<std::string, std::string>> changes{
        {"the other end", {".max.f32", ".min.f32"}},
        {"magnitudes", {".max.f32", ".max.abs.f32"}},
        {"as integers", {".max.f32", ".max.s32"}},
        {"another register", {"}, %X_max_0,", "}, %X_max_1,"}},
        {"into the fragment's own", {"}, %X_max_0,", "}, %M_0,"}},
    };
    for (const auto& [name, change] : changes) {
        const std::string what = name;
        CAPTURE(what);
        Compilation made = compiled(round_trip(load + "M = row_max(X);", "f32", "128, 48"), "sm_103a");
        const std::size_t at = made.ptx.text.find(change.first, made.ptx.text.find("ld.red"));
        REQUIRE(at != std::string::npos);
        made.ptx.text.replace(at, change.first.size(), change.second);
        CHECK(verify_text(made).mismatch.has_value());
    }
}

namespace {

sema::TmemCopy& load_of(sema::Kernel& kernel) {
    for (sema::Statement& each : kernel.statements)
        if (auto* copy = std::get_if<sema::TmemCopy>(&each.what); copy && copy->op == sema::TmemCopy::Op::ld)
            return *copy;
    throw std::runtime_error("no load");
}
sema::Compute& reduction_of(sema::Kernel& kernel) {
    for (sema::Statement& each : kernel.statements)
        if (auto* compute = std::get_if<sema::Compute>(&each.what)) return *compute;
    throw std::runtime_error("no reduction");
}

/// A kernel as the fuser would leave it if it took it for the round trip of `fused`.
sema::Kernel forced(sema::Kernel kernel, sema::Kernel fused) {
    load_of(kernel).fold = load_of(fused).fold;
    reduction_of(kernel) = reduction_of(fused);
    kernel.fragments = fused.fragments;
    kernel.fragment_images = fused.fragment_images;
    return kernel;
}

} // namespace

TEST_CASE("verify finds a wrong choice") {
    const auto body = [](const std::string& text) {
        return compiled(round_trip(text, "f32", "128, 48"), "sm_103a");
    };
    const Compilation right = body(load + "M = row_max(X);");
    const sema::Kernel& written = right.program.kernels[0];
    const sema::Kernel& fused = right.fused.kernels[0];
    CHECK(fused != written);
    CHECK_FALSE(verify::misfused(written, fused));
    CHECK_FALSE(verify::misfused(written, forced(written, fused)));

    const std::map<std::string, void (*)(sema::Kernel&)> spoils{
        {"a column less", [](sema::Kernel& k) { load_of(k).fold->columns[0].pop_back(); }},
        {"a column twice", [](sema::Kernel& k) { load_of(k).fold->columns[1][0] = 0; }},
        {"the other end", [](sema::Kernel& k) { load_of(k).fold->greatest = false; }},
        {"magnitudes", [](sema::Kernel& k) { load_of(k).fold->absolute = true; }},
        {"no fold", [](sema::Kernel& k) { load_of(k).fold.reset(); }},
        {"into a fragment of the program", [](sema::Kernel& k) { load_of(k).fold->into.object = 0; }},
        {"half of it",
         [](sema::Kernel& k) {
             sema::Compute& compute = reduction_of(k);
             compute.steps[0].fragment.cols = 1;
             compute.reduction->over.cols = 1;
         }},
        {"other rows", [](sema::Kernel& k) { load_of(k).fold->into.row = 1; }},
        {"a statement changed", [](sema::Kernel& k) { k.statements.pop_back(); }},
        {"an object changed", [](sema::Kernel& k) { k.buffers[0].offset = 1; }},
    };
    for (const auto& [name, spoil] : spoils) {
        const std::string what = name;
        CAPTURE(what);
        sema::Kernel wrong = fused;
        spoil(wrong);
        CHECK(verify::misfused(written, wrong));
    }
    for (const char* text : {"M = row_min(X);", "M = row_max(abs(X));", "M = row_max(X + 1.0);",
                             "X[:, 3:5] = 0.0; M = row_max(X);", "X[7, 3] = 0.0; M = row_max(X);",
                             "copy_async X[:, 0:8] <- T[:, 8:16]; wait ld; M = row_max(X);"}) {
        CAPTURE(text);
        const Compilation other = body(load + text);
        CHECK(verify::misfused(other.program.kernels[0], forced(other.program.kernels[0], fused)));
    }
    sema::Kernel top = written, top_fused = fused; // the load brings half of the rows
    for (sema::Kernel* each : {&top, &top_fused})
        load_of(*each).fragment.rows = load_of(*each).buffer.rows = 64;
    load_of(top_fused).fold->into.rows = 64;
    CHECK(verify::misfused(top, top_fused));
    sema::Kernel other = written; // the load is another warpgroup's
    other.warpgroups = 2;
    for (sema::Statement& each : other.statements)
        if (std::holds_alternative<sema::TmemCopy>(each.what)) each.warpgroup = 0;
    CHECK(verify::misfused(other, forced(other, fused)));
}
