// Calls of functions against the same statements written in the kernel. A function is drawn, and a kernel
// that calls it a few times with parts of its objects; the judge is the kernel with each statement in the
// place of the call, its slices moved by hand. Both run on the emulator and must leave the same bytes.
//
// Programs are counted by what they show, and a class without a member fails.
#include "base/render.hpp"
#include "emulator/machine.hpp"
#include "pipeline.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>
#include <functional>
#include <map>
#include <random>

namespace {

using namespace tmemc;

/// A parameter, or what a call gives it: columns of `object` from `column` on, of a tensor in rows from `row`
/// on.
struct View {
    std::string object, row; // row: of a tensor
    int column = 0;
    [[nodiscard]] std::string at(int first, int count) const {
        const std::string columns = fmt::format("{} +: {}", column + first, count);
        return fmt::format("{}[{}{}]", object, row.empty() ? "" : row + ", ", columns);
    }
};
struct Names {
    View t, x, y, a, v, c;
    std::string k, own; // a scalar; what the names of the function's own fragments end in
    bool calls = false; // g is called, not written out
};

class Draw {
  public:
    explicit Draw(unsigned seed) : random_(seed) {
        dtype_ = one_of({"f32", "u32", "f16"});
        atom_ = one_of({"", " atom 16x64b", " atom 16x256b"});
        unit_ = dtype_ == "f16" ? 16 : 8;
        width_ = unit_ * pick(1, 2);
        for (int i = pick(2, 6); i > 0; --i) statements_.push_back(statement());
    }

    std::map<std::string, int> shown;

    /// The kernel with calls, or with their statements.
    std::string program(bool calls) {
        std::mt19937 again = random_; // the same arguments both times
        std::swap(again, random_);
        std::string body;
        for (int i = 0; i < calls_; ++i) {
            Names names = arguments(i);
            if (calls)
                body += call(names);
            else
                for (const auto& each : statements_) body += each(names);
        }
        std::swap(again, random_);
        const std::string kernel = fmt::format(
            "kernel k(in A: {0}[256, 64], in V: {0}[64], inout C: {0}[256, 64], s: {0}) grid(2) {{\n"
            "  tmem T: {0}[128, 64];\n  frag X: {0}[128, 64]{1};\n  frag Y: {0}[128, 64]{1};\n"
            "  copy X <- A[cta.x*128 +: 128, :];\n  Y = 3;\n  copy_async T <- X;\n  wait st;\n{2}"
            "  copy C[cta.x*128 +: 128, :] <- X;\n}}\n",
            dtype_, atom_, body);
        return calls ? function() + kernel : kernel;
    }

  private:
    using Statement = std::function<std::string(const Names&)>;

    int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
    std::string one_of(std::vector<std::string> list) {
        return list[static_cast<std::size_t>(pick(0, static_cast<int>(list.size()) - 1))];
    }

    Statement statement() {
        const int parts = width_ / unit_, first = pick(0, parts - 1) * unit_,
                  count = pick(1, parts - first / unit_) * unit_;
        const std::string path = one_of({"", " direct", " staged"});
        switch (pick(0, 8)) {
        case 0:
            ++shown["load"];
            return [=, this, id = ++own_](const Names& n) {
                return fmt::format("  frag Z{4}: {0}[128, {1}]{2};\n  copy_async Z{4} <- {3};\n  wait ld;\n  "
                                   "{5} = {5} + Z{4};\n",
                                   dtype_, count, atom_, rows(n.t, first, count), n.own + std::to_string(id),
                                   rows(n.x, first, count));
            };
        case 1:
            ++shown["arithmetic"];
            return [=](const Names& n) {
                return fmt::format("  {0} = {0} * {1} + {2};\n", rows(n.x, first, count), n.k,
                                   rows(n.y, first, count));
            };
        case 2:
            ++shown["store"];
            return [=](const Names& n) {
                return fmt::format("  copy_async {} <- {};\n  wait st;\n", rows(n.t, first, count),
                                   rows(n.x, first, count));
            };
        case 3:
            ++shown["vector of columns"];
            return [=](const Names& n) {
                return fmt::format("  {0} = {0} + cols({1});\n", rows(n.x, first, count),
                                   n.v.at(first, count));
            };
        case 4:
            ++shown["to memory" + path];
            return [=](const Names& n) {
                return fmt::format("  copy {} <- {}{};\n", n.c.at(first, count), rows(n.x, first, count),
                                   path);
            };
        case 5:
            ++shown["from memory" + path];
            return [=](const Names& n) {
                return fmt::format("  copy {} <- {}{};\n", rows(n.x, first, count), n.a.at(first, count),
                                   path);
            };
        case 6:
            ++shown["fill"];
            return [=](const Names& n) { return fmt::format("  {} = 2;\n", rows(n.x, first, count)); };
        case 7:
            ++shown["maximum of rows"];
            return [=](const Names& n) {
                return fmt::format("  {0} = {0} - rows(row_max({1}));\n", rows(n.x, first, count),
                                   rows(n.y, first, count));
            };
        default:
            ++shown["call in a function"];
            return [=, this](const Names& n) {
                const std::string x = rows(n.x, 0, width_);
                return n.calls ? fmt::format("  g({}, {});\n", x, n.k)
                               : fmt::format("  {0} = {0} * {1};\n", x, n.k);
            };
        }
    }
    static std::string rows(const View& view, int first, int count) {
        View all = view;
        all.row = ":";
        return all.at(first, count);
    }

    std::string function() {
        const Names own{{"t", "", 0},  {"x", "", 0}, {"y", "", 0}, {"a", ":", 0}, {"v", "", 0},
                        {"c", ":", 0}, "b",          "",           true};
        std::string text =
            fmt::format("function g(inout frag x: {0}[128, {1}]{2}, b: {0}) {{ x = x * b; }}\n"
                        "function f(inout tmem t: {0}[128, {1}], inout frag x: {0}[128, {1}]{2}, in frag y: "
                        "{0}[128, {1}]{2},\n"
                        "           in a: {0}[128, {1}], in v: {0}[{1}], out c: {0}[128, {1}], b: {0}) {{\n",
                        dtype_, width_, atom_);
        for (const auto& each : statements_) text += each(own);
        return text + "}\n";
    }

    Names arguments(int i) {
        const auto column = [&] { return pick(0, (64 - width_) / unit_) * unit_; };
        Names n{{"T", "", column()},
                {"X", "", column()},
                {"Y", "", column()},
                {"A", "", column()},
                {"V", "", column()},
                {"C", "", column()},
                "",
                std::to_string(i) + "_",
                false};
        n.a.row = pick(0, 1) == 0 ? "cta.x*128 +: 128" : fmt::format("{} +: 128", pick(0, 128));
        n.c.row = "cta.x*128 +: 128";
        const int vector = pick(0, 2);
        if (vector != 0) n.v = {"A", vector == 1 ? std::to_string(pick(0, 255)) : "cta.x*2 + 1", n.v.column};
        n.k = pick(0, 1) == 0 ? "s" : "3";
        ++shown[n.k == "s" ? "a scalar parameter" : "a number"];
        ++shown[vector == 0 ? "a vector" : "a row of a matrix"];
        ++shown[n.a.row[0] == 'c' ? "rows of the CTA" : "rows that stand still"];
        return n;
    }
    std::string call(const Names& n) const {
        return fmt::format("  f({}, {}, {}, {}, {}, {}, {});\n", rows(n.t, 0, width_), rows(n.x, 0, width_),
                           rows(n.y, 0, width_), n.a.at(0, width_), n.v.at(0, width_), n.c.at(0, width_),
                           n.k);
    }

    std::mt19937 random_;
    std::string dtype_, atom_;
    int unit_ = 8, width_ = 8, own_ = 0, calls_ = 3;
    std::vector<Statement> statements_;
};

/// What the kernel leaves in C.
std::vector<std::byte> run(const std::string& text) {
    const base::Source source("k.tmx", text);
    const Compilation made = compile(source);
    std::string said;
    for (const base::Diagnostic& each : made.diagnostics.list) said += base::render_text(each, source, {});
    CAPTURE(text);
    REQUIRE_MESSAGE(made.ok(), said);
    const auto verified = verify_text(made);
    REQUIRE_MESSAGE(!verified.mismatch, verify::to_string(*verified.mismatch, source));
    const emulator::LoadResult loaded = emulator::load(base::Source("k.ptx", made.ptx.text));
    REQUIRE(loaded.executable);
    const auto& kernel = loaded.kernels.front();
    emulator::GlobalMemory memory;
    emulator::Launch launch{"k", {2, 1, 1}, {128, 1, 1}, {}};
    launch.parameters.resize(kernel.parameter_bytes);
    std::mt19937 random(7);
    std::vector<std::byte> bytes(256 * 64 * 4);
    std::uint64_t c = 0;
    for (std::size_t p = 0; p < 3; ++p) {
        for (std::size_t i = 0; i < bytes.size(); i += 2) { // of any type small positive numbers
            const auto value = static_cast<std::uint16_t>(0x3c00 + random() % 0x400);
            std::memcpy(bytes.data() + i, &value, 2);
        }
        c = memory.allocate(bytes.size());
        memory.write(c, bytes);
        std::memcpy(launch.parameters.data() + kernel.parameters[p].offset, &c, 8);
    }
    const std::uint32_t scalar = 0x3f004100;
    std::memcpy(launch.parameters.data() + kernel.parameters[3].offset, &scalar, kernel.parameters[3].bytes);
    const emulator::Outcome outcome = emulator::run(*loaded.executable, memory, launch);
    REQUIRE_MESSAGE(!outcome.fault, outcome.fault->message);
    memory.read(c, bytes);
    return bytes;
}

} // namespace

TEST_CASE("a call does what the statements do") {
    std::map<std::string, int> shown;
    for (unsigned seed = 1; seed <= 150; ++seed) {
        Draw draw(seed);
        const std::string called = draw.program(true), written = draw.program(false);
        CAPTURE(called);
        REQUIRE(run(called) == run(written));
        for (const auto& [what, count] : draw.shown) shown[what] += count;
    }
    for (const auto& [what, count] : shown) fmt::print("{}: {}\n", what, count);
    CHECK(shown.size() == 19);
}
