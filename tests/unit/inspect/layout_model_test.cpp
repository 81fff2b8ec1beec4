// Which objects there are, what they are called and how many they stand for. Their elements are judged by
// tests/layout.py.
#include "inspect/layout_model.hpp"
#include "inspect/layout_pattern.hpp"
#include "inspect/map_model.hpp"
#include "inspect/wrapped.hpp"

#include "pipeline.hpp"

#include <doctest/doctest.h>

#include <string>

namespace tmemc::inspect {
namespace {

struct Shown {
    LayoutModel layout;
    MapModel map;
};

Shown shown(const std::string& text, std::size_t number = 0) {
    const base::Source source("k.tmx", text);
    const Compilation made = compile(source);
    const Placement placed = placement_for_pictures(source, made.program, made.schedule, made.space);
    const sema::Kernel& kernel = made.program.kernels.at(number);
    return {layout_model(source, kernel, placed.space.kernels.at(number)),
            map_model(source, kernel, placed.schedule.kernels.at(number), placed.space.kernels.at(number))};
}

std::string names(const LayoutModel& model) {
    std::string list;
    for (const LayoutObject& each : model.objects)
        list += each.name + (each.times > 1 ? "*" + std::to_string(each.times) : "") + " ";
    return list;
}

TEST_CASE("objects stand in the order of their declarations; turns that agree are one") {
    const Shown made =
        shown("kernel k(in A: f32[128, 8], out B: f32[128, 8]) {\n"
              "  frag X: f32[128, 8];\n  tmem T: f32[128, 8];\n  tmem V: f32[128, 4] at T + 2;\n"
              "  copy X <- A; copy_async T <- X; wait st;\n"
              "  for c in 0..2 { frag Y: f32[128, 4]; copy_async Y <- T[:, c*4 +: 4]; wait ld;\n"
              "    copy B[:, c*4 +: 4] <- Y; }\n"
              "  frag Z: f32[128, 4]; copy_async Z <- V; wait ld; copy B[:, 0:4] <- Z; }\n");
    CHECK(names(made.layout) == "X T V Y*2 Z ");
    CHECK(made.layout.objects.at(2).inside == "T");
    CHECK(made.layout.objects.at(2).places.at(5) == ElementPlace{1, 1, 1, 3, 0});
    CHECK(made.layout.objects.at(3).line == 6);
}

TEST_CASE("what the compiler adds is no object; what a called function declares comes last") {
    const Shown made = shown("function f(tmem T: f32[128, 4], out B: f32[128, 4]) {\n"
                             "  frag Inner: f32[128, 4]; copy_async Inner <- T; wait ld; copy B <- Inner; }\n"
                             "kernel k(in A: f32[128, 4], in Bias: f32[4], out B: f32[128, 4]) {\n"
                             "  tmem T: f32[128, 4]; frag X: f32[128, 4]; copy X <- A; X = X + cols(Bias);\n"
                             "  copy_async T <- X; wait st; f(T, B); }\n",
                             1);
    CHECK(names(made.layout) == "T X Inner ");
}

TEST_CASE("a buffer lives from its first access to the wait behind its last; columns are used again") {
    const Shown made = shown("kernel k(inout A: f32[128, 32]) {\n"
                             "  tmem T: f32[128, 32];\n  tmem U: f32[128, 32];\n  frag X: f32[128, 32];\n"
                             "  copy X <- A;\n"
                             "  copy_async T <- X;\n  wait st;\n  copy_async X <- T;\n  wait ld;\n"
                             "  copy_async U <- X;\n  wait st;\n  copy_async X <- U;\n  wait ld;\n"
                             "  copy A <- X;\n}\n");
    REQUIRE(made.map.buffers.size() == 2);
    const MapBuffer &t = made.map.buffers[0], &u = made.map.buffers[1];
    CHECK(t.first == 6);
    CHECK(t.last == 9);
    CHECK(u.first == 10);
    CHECK(u.last == 13);
    CHECK(t.column == u.column);
    CHECK(made.map.allocated == 32);
    CHECK(made.map.peak == 32);
    CHECK(made.map.lines.size() == 8);
    CHECK(made.map.lines.at(3).live == std::vector<std::size_t>{0});
    CHECK(made.map.lines.at(4).live == std::vector<std::size_t>{1});
}

TEST_CASE("what does not fit is placed beyond the end; what is refused by its written waits") {
    const std::string body =
        "  frag X: f32[128, 256];\n  copy X <- A;\n  copy_async T <- X;\n  copy_async U <- X;\n"
        "  copy_async V <- X;\n  wait st;\n  copy_async X <- T;\n  wait ld;\n  copy_async X <- U;\n"
        "  wait ld;\n  copy_async X <- V;\n  wait ld;\n  copy A <- X;\n}\n";
    const Shown made = shown("kernel k(inout A: f32[128, 256]) {\n  tmem T: f32[128, 256];\n"
                             "  tmem U: f32[128, 256];\n  tmem V: f32[128, 256];\n" +
                             body);
    CHECK_FALSE(made.map.fits());
    CHECK(made.map.needed == 768);
    CHECK(made.map.peak == 768);

    const Shown refused = shown("kernel k() {\n  tmem T: f32[64, 32] datapath B;\n"
                                "  frag Y: f32[64, 32] atom 16x256b;\n  copy_async Y <- T;\n  wait ld;\n}\n");
    CHECK(names(refused.layout) == "T Y ");
    CHECK(refused.map.buffers.at(0).last == 5);
}

TEST_CASE("columns of a function count from each parameter's address, and stand side by side") {
    const Shown made = shown("function f(tmem T: f32[128, 6], tmem U: f32[128, 8], out B: f32[128, 6]) {\n"
                             "  frag X: f32[128, 6]; copy_async X <- T; wait ld; copy B <- X; }\n");
    CHECK(made.layout.objects.at(1).column == 0);
    CHECK(made.map.buffers.at(1).column == 8);
    CHECK(made.map.buffers.at(1).base == 8);
    CHECK(made.map.needed == 16);
}

TEST_CASE("a pattern in words, and none where rows and columns do not add up") {
    const Shown made = shown("kernel k() { frag X: f32[64, 64] atom 16x256b;\n"
                             "  frag Y: f32[4, 6] layout S[(3, 8) : (1@tid_in_wg, 3@tid_in_wg)]; }\n");
    const LayoutObject& x = made.layout.objects.at(0);
    const auto found = pattern(x, elements_per_word(x));
    REQUIRE(found);
    CHECK(in_words(found->down, "rows", x) ==
          "rows 0..7: thread +4 each; again to 15 with register +2; again to 63, each time thread +32");
    CHECK(in_words(found->across, "columns", x) == "columns 0..1: register +1 each; again to 7, each time "
                                                   "thread +1; again to 63, each time register +4");
    CHECK_FALSE(pattern(made.layout.objects.at(1), 1));
}

TEST_CASE("wrapped") {
    CHECK(wrapped("a long line", 2, 6) == "a long\n  line\n");
    CHECK(wrapped("abcdefgh", 1, 4) == "abcd\n efg\n h\n");
    CHECK(wrapped("", 1, 4) == "\n");
}

} // namespace
} // namespace tmemc::inspect
