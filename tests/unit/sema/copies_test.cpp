// copy and copy_async: slices, kinds, element types, extents, directions. Each rule by a pair of programs.
#include "checking.hpp"

namespace tmemc::sema {

TEST_SUITE_BEGIN("sema");

namespace {

// Two buffers, two fragments of their size and one of f16; the statement under test stands on line 3.
std::string statement(std::string_view text) {
    return body(fmt::format("tmem T: f32[128, 64]; tmem U: f32[128, 64]; frag X: f32[128, 64]; frag Y: "
                            "f32[128, 64]; frag H: f16[128, 64];\n{}",
                            text));
}
Region tensor_region(const std::string& slices) {
    const Checked found = accepts(body(fmt::format("frag X: f32[128, 64]; copy X{0} <- A{0};", slices)));
    const auto& copy = std::get<GlobalCopy>(found.kernel().statements.at(0).what);
    CHECK(copy.tensor.row == copy.fragment.row);
    return copy.tensor;
}
std::array<int, 4> rectangle(const std::string& slices) {
    const Region r = tensor_region(slices);
    return {r.row, r.col, r.rows, r.cols};
}

} // namespace

TEST_CASE("a region is a rectangle") {
    using R = std::array<int, 4>;
    CHECK(rectangle("") == R{0, 0, 128, 64});
    CHECK(rectangle("[:, :]") == R{0, 0, 128, 64});
    CHECK(rectangle("[32:96, 8:24]") == R{32, 8, 64, 16});
    CHECK(rectangle("[:32, 8:]") == R{0, 8, 32, 56});
    CHECK(rectangle("[2*16 +: 32, 63 +: 1]") == R{32, 63, 32, 1});
    CHECK(rectangle("[5, :]") == R{5, 0, 1, 64});
    CHECK(rectangle("[:, 5]") == R{0, 5, 128, 1});
    CHECK(rectangle("[127, 63]") == R{127, 63, 1, 1});
}

TEST_CASE("a region has as many slices as dimensions") {
    refuses(statement("copy_async X <- T[0:128];"), "TM0240", 3, 17,
            {"`T` has 2 dimensions", "1 slice here"});
    refuses(statement("copy_async X <- T[:, :, :];"), "TM0240", 3, 17, {"3 slices"});
    accepts("kernel k(in V: f32[64]) { frag X: f32[128, 64]; copy X[3, :] <- V[0:64]; copy X[3, :] <- V; }");
    refuses("kernel k(in V: f32[64]) { frag X: f32[128, 64]; copy X[3, :] <- V[0, :]; }", "TM0240", 1, 65,
            {"1 dimension,"});
}

TEST_CASE("a slice lies inside its object and is not empty") {
    accepts(statement("copy_async X[0:1, :] <- T[127:128, :];"));
    refuses(statement("copy_async X <- T[0:129, :];"), "TM0241", 3, 19,
            {"slice `0:129` lies outside `T`, which has 128 rows"});
    refuses(statement("copy_async X <- T[:, 0:65];"), "TM0241", 3, 22, {"`0:65`", "64 columns"});
    refuses(statement("copy_async X <- T[:, -1:63];"), "TM0241", 3, 22, {"`-1:63`"});
    refuses(statement("copy_async X <- T[:, 64];"), "TM0241", 3, 22, {"slice `64`"});
    refuses(statement("copy_async X <- T[:, 60 +: 5];"), "TM0241", 3, 22, {"`60 +: 5`"});
    refuses(statement("copy_async X <- T[:, 9223372036854775807 +: 5];"), "TM0241", 3, 22);
    refuses(statement("copy_async X <- T[:, 8:8];"), "TM0242", 3, 22, {"`8:8` of `T` selects no columns"});
    refuses(statement("copy_async X <- T[8:4, :];"), "TM0242", 3, 19, {"`8:4` of `T` selects no rows"});
    refuses(statement("copy_async X <- T[:, 8 +: 0];"), "TM0242", 3, 22, {"`8 +: 0`"});
    refuses(statement("copy_async X <- T[:, 8 +: -8];"), "TM0242", 3, 22);
    const Checked both = checked(statement("copy_async X[:, 0:99] <- T[200, :];"));
    CHECK(both.result.diagnostics.list.size() == 2);
    CHECK(both.underlined(0) == "0:99");
    CHECK(both.underlined(1) == "200");
}

TEST_CASE("copy_async moves between tensor memory and a fragment") {
    accepts(statement("copy_async T <- X; copy_async X <- T;"));
    refuses(statement("copy_async T <- U;"), "TM0250", 3, 1,
            {"`T` and `U` are both tmem buffers", "copy_async X <- U; wait ld; copy_async T <- X;"});
    refuses(statement("copy_async X <- Y;"), "TM0251", 3, 1,
            {"`X` and `Y` are both fragments", "`copy_async` moves between"});
    refuses(statement("copy_async X <- A;"), "TM0252", 3, 1,
            {"`copy_async` does not reach global memory", "`A`", "copy X <- A;"});
    refuses(statement("copy_async B <- X;"), "TM0252", 3, 1, {"copy B <- X;"});
    refuses(statement("copy_async T <- A;"), "TM0252", 3, 1, {"go through a fragment"});
    refuses(statement("copy_async B <- A;"), "TM0252", 3, 1);
}

TEST_CASE("copy moves between a tensor and a fragment") {
    accepts(statement("copy X <- A; copy B <- X; copy C <- X; copy X <- C;"));
    refuses(statement("copy X <- T;"), "TM0253", 3, 1,
            {"`copy` does not reach tensor memory", "`T`", "copy_async X <- T;"});
    refuses(statement("copy T <- X;"), "TM0253", 3, 1, {"copy_async T <- X;"});
    refuses(statement("copy B <- T;"), "TM0253", 3, 1, {"go through a fragment"});
    refuses(statement("copy T <- U;"), "TM0253", 3, 1);
    refuses(statement("copy B <- A;"), "TM0254", 3, 1,
            {"both tensor parameters", "copy X <- A; copy B <- X;"});
    refuses(statement("copy X <- Y;"), "TM0251", 3, 1, {"`copy` moves between a tensor and a fragment"});
}

TEST_CASE("a copy does not convert") {
    const Checked found = refuses(statement("copy_async H <- T;"), "TM0255", 3, 1,
                                  {"`H` is f16 and `T` is f32", "`tmem` alias: tmem V: f16[...]"});
    CHECK(found.underlined() == "copy_async H <- T;");
    refuses(statement("copy_async T <- H;"), "TM0255", 3, 1, {"tmem V: f32[...]"});
    refuses(statement("copy B <- H;"), "TM0255", 3, 1, {"`B` is f32 and `H` is f16"});
    refuses("kernel k(in A: u32[128, 8]) { frag X: f32[128, 8]; copy X <- A; }", "TM0255", 1, 52);
}

TEST_CASE("the sides of a copy have the same extents") {
    accepts(statement("copy X[:, 0:8] <- A[:, 8:16];"));
    refuses(statement("copy X[:, 0:8] <- A[:, 8:24];"), "TM0256", 3, 1,
            {"`X` has the extents [128, 8] here and `A` [128, 16]"});
    refuses(statement("copy X <- A[0, :];"), "TM0256", 3, 1, {"[128, 64]", "`A` [64]"});
    refuses(statement("copy X[0:1, :] <- A[0, :];"), "TM0256", 3, 1,
            {"[1, 64]", "`A` [64]", "a point such as `3` removes its dimension"});
    accepts(statement("copy X[1, :] <- A[0, :];"));
    refuses("kernel k(in A: f32[128, 8]) { frag X: f32[128, 16]; copy X <- A; }", "TM0256", 1, 53);
}

TEST_CASE("a tensor-memory copy of unequal rectangles is left to the matcher, which knows the reasons") {
    const Checked found = accepts("kernel k() { tmem T: f32[64, 64] datapath F; frag Y: f32[128, 64] atom "
                                  "16x256b; copy_async Y <- T; }");
    const auto& copy = std::get<TmemCopy>(found.kernel().statements.at(0).what);
    CHECK(copy.buffer.rows == 64);
    CHECK(copy.fragment.rows == 128);
    refuses(statement("copy_async X[0:1, :] <- T[0, :];"), "TM0256", 3, 1);
}

TEST_CASE("a column takes a row of a tensor, or a tensor of one dimension, of as many elements") {
    const auto found =
        accepts("kernel k(in A: f32[128, 128], in V: f32[128]) { frag X: f32[128, 128]; frag M: "
                "f32[128]; copy X[:, 3] <- A[3, :]; copy M <- A[:, 2]; copy M[0:64] <- V[64:128]; }");
    const auto& copy = std::get<GlobalCopy>(found.kernel().statements.at(0).what);
    CHECK(copy.fragment.rows == 128);
    CHECK(copy.tensor.cols == 128);
    const auto& part = std::get<GlobalCopy>(found.kernel().statements.at(2).what);
    CHECK(part.fragment.rows == 64);
    CHECK(part.tensor.col == 64);
    refuses("kernel k() { tmem T: f32[128, 128]; frag X: f32[128, 128]; copy_async X[:, 3] <- T[3, :]; }",
            "TM0290", 1, 60, {"between a row and a column"});
}

TEST_CASE("an in tensor is read and an out tensor is written") {
    refuses(statement("copy A <- X;"), "TM0257", 3, 1,
            {"`A` is an `in` parameter", "1: declared `in` here", "`inout A`"});
    refuses(statement("copy X <- B;"), "TM0258", 3, 1, {"`B` is an `out` tensor", "`inout B`"});
}

TEST_CASE("every mistake of one copy is told") {
    const Checked found = checked(statement("copy A[0:64, :] <- H;"));
    std::string codes;
    for (const base::Diagnostic& each : found.result.diagnostics.list)
        codes += std::string(each.kind->code) + " ";
    CHECK(codes == "TM0255 TM0257 TM0256 ");
}

TEST_CASE("direct and staged are paths, and masked stands beside either") {
    const auto path = [](const char* copy) {
        return std::get<GlobalCopy>(accepts(statement(copy)).kernel().statements.at(0).what).path;
    };
    CHECK(path("copy X <- A direct;") == GlobalCopy::Path::direct);
    CHECK(path("copy X <- A staged;") == GlobalCopy::Path::staged);
    refuses(statement("copy X <- A direct masked staged;"), "TM0309", 3, 27,
            {"`staged` and `direct` exclude"});
    CHECK(path("copy X <- A;") == GlobalCopy::Path::choose);
    CHECK(path("copy X <- A masked staged;") == GlobalCopy::Path::staged);
    const Checked masked = accepts(statement("copy X <- A masked direct;"));
    CHECK(std::get<GlobalCopy>(masked.kernel().statements.at(0).what).masked);
    CHECK_FALSE(std::get<GlobalCopy>(masked.kernel().statements.at(0).what).rows_leave);
    refuses(statement("copy X <- A direct direct;"), "TM0205", 3, 20, {"`direct`"});
}

TEST_SUITE_END();

} // namespace tmemc::sema
