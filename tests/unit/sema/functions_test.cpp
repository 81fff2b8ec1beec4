// Functions and calls: what parameters become, and that an expanded call is the statements with the caller's
// objects in them, whichever kind of argument a parameter is given.
#include "checking.hpp"

namespace tmemc::sema {

TEST_SUITE_BEGIN("sema");

namespace {

/// The last kernel's statements without places, as a program that has them written out would have.
std::vector<Statement> bare(const Checked& found) {
    std::vector<Statement> list = found.program().kernels.back().statements;
    for (Statement& each : list) {
        each.span = {};
        each.calls.clear();
        each.iteration.clear();
        std::visit(
            [](auto& what) {
                using What = std::decay_t<decltype(what)>;
                if constexpr (std::is_same_v<What, TmemCopy>) what.buffer.span = what.fragment.span = {};
                if constexpr (std::is_same_v<What, GlobalCopy>) what.tensor.span = what.fragment.span = {};
                if constexpr (std::is_same_v<What, Fill>) what.fragment.span = {};
                if constexpr (std::is_same_v<What, Compute>) {
                    what.target.span = {};
                    if (what.reduction) what.reduction->over.span = {};
                    for (Step& step : what.steps) step.fragment.span = {};
                }
            },
            each.what);
    }
    return list;
}

/// A function and a kernel that calls it are the kernel with the statements written out.
void same(const std::string& function, const std::string& head, const std::string& calls,
          const std::string& written) {
    const Checked called = accepts(function + head + calls + "}\n"), direct = accepts(head + written + "}\n");
    CAPTURE(calls);
    CHECK(bare(called) == bare(direct));
    for (const Statement& each : called.program().kernels.back().statements)
        if (!each.calls.empty()) CHECK(called.source.text(each.calls.back()).back() == ';');
}

} // namespace

TEST_CASE("parameters of every kind") {
    const Checked found =
        accepts("function f(tmem T: f32[128, 8], inout tmem U: u16[64, 8] datapath F sub_slab 1 unpacked,\n"
                "           out frag X: f32[128, 8] atom 16x256b, in A: f32[n, 8] pitch p align 16,\n"
                "           n: u32, p: u32, a: f8e4m3) { X = 0.0; }\n");
    const Kernel& f = found.kernel();
    CHECK(f.function);
    CHECK(f.warpgroups == 1);
    REQUIRE(f.parameters.size() == 7);
    const auto& t = std::get<TmemParameter>(f.parameters[0]);
    CHECK(t.direction == Direction::in);
    CHECK(f.buffers[t.buffer].name == "T");
    const auto& u = std::get<TmemParameter>(f.parameters[1]);
    CHECK(u.direction == Direction::inout);
    CHECK(f.buffer_images[f.buffers[u.buffer].image].unpacked);
    CHECK(f.buffers[u.buffer].group != f.buffers[t.buffer].group);
    const auto& x = std::get<FragmentParameter>(f.parameters[2]);
    CHECK(x.direction == Direction::out);
    CHECK(f.fragment_images[f.fragments[x.fragment].image].name == "atom 16x256b");
    const auto& a = std::get<Tensor>(f.parameters[3]);
    CHECK(a.extent_from == 4);
    CHECK(a.pitch_from == 5);
    CHECK(a.align == 16);
    CHECK(std::get<Scalar>(f.parameters[6]).dtype == Dtype::f8e4m3);
}

TEST_CASE("functions stand in the order of the file, and with kernels named they are left out") {
    const std::string text = "kernel k(out C: f32[128, 8]) { f(C); }\n"
                             "function g(out C: f32[128, 8]) { frag X: f32[128, 8]; X = 1.0; copy C <- X; }\n"
                             "function f(out C: f32[128, 8]) { g(C); }\n"
                             "function bad(out C: f32[128, 8]) { sync; }\n";
    const Checked all = checked(text);
    REQUIRE(all.program().kernels.size() == 4);
    CHECK(all.program().kernels[0].name == "k");
    CHECK(all.program().kernels[1].name == "g");
    CHECK(all.program().kernels[2].name == "f");
    CHECK(all.result.diagnostics.list.size() == 1);
    Options only;
    only.only = {"k"};
    const Checked one = accepts(text, only);
    REQUIRE(one.program().kernels.size() == 1);
    const std::vector<Statement>& statements = one.kernel().statements;
    REQUIRE(statements.size() == 2);
    REQUIRE(statements[0].calls.size() == 2);
    CHECK(one.source.position(statements[0].calls[0].begin).line == 3); // g is called in f,
    CHECK(one.source.position(statements[0].calls[1].begin).line == 1); // f in k
    CHECK(one.kernel().fragments.size() == 1);
}

TEST_CASE("a call is the statements with its arguments in them") {
    const std::string tensors =
        "kernel k(in A: f32[300, 64], in V: f32[64], in H: f32[m, 8], out C: f32[256, 64], "
        "m: u32, s: f32) grid(2) {\n";
    same(
        "function f(in A: f32[128, 8], in v: f32[8], out C: f32[128, 8], a: f32) {\n"
        "  frag X: f32[128, 8];\n  copy X <- A;\n  X[:, 0:4] = X[:, 0:4] * a + 3.0;\n  X = X + cols(v);\n"
        "  copy C <- X;\n}\n",
        tensors,
        "f(A[cta.x*128 +: 128, 8 +: 8], V[4:12], C[cta.x*128 +: 128, 0:8], s);\n"
        "f(A[17 +: 128, 8:16], A[3:11, 63], C[0:128, 56:64], 0.5);\n",
        "frag X: f32[128, 8];\n  copy X <- A[cta.x*128 +: 128, 8 +: 8];\n  X[:, 0:4] = X[:, 0:4] * s + 3.0;\n"
        "  X = X + cols(V[4:12]);\n  copy C[cta.x*128 +: 128, 0:8] <- X;\n"
        "frag Y: f32[128, 8];\n  copy Y <- A[17 +: 128, 8:16];\n  Y[:, 0:4] = Y[:, 0:4] * 0.5 + 3.0;\n"
        "  Y = Y + cols(A[3:11, 63]);\n  copy C[0:128, 56:64] <- Y;\n");
    same("function f(in A: f32[n, 8], n: u32) {\n  frag X: f32[128, 8];\n  copy X <- A[2 +: 128, :] "
         "masked;\n}\n",
         tensors, "f(H, m);\n", "frag X: f32[128, 8];\n  copy X <- H[2 +: 128, :] masked;\n");
    same("function f(in frag X: f32[64, 8] atom 16x64b, out frag Y: f32[64, 8] atom 16x64b) {\n"
         "  Y[0:16, :] = 1.0;\n  Y = X + rows(row_max(X));\n}\n",
         "kernel k() {\n  frag X: f32[64, 32] atom 16x64b;\n  frag Y: f32[64, 32] atom 16x64b;\n",
         "f(X[:, 8:16], Y[:, 24:32]);\n",
         "  Y[0:16, 24:32] = 1.0;\n  Y[:, 24:32] = X[:, 8:16] + rows(row_max(X[:, 8:16]));\n");
}

TEST_CASE("tensor memory is that of the caller, some columns on") {
    const Checked found =
        accepts("function g(tmem W: f32[128, 4], out frag Y: f32[128, 4]) { copy_async Y <- W; wait ld; }\n"
                "function f(inout tmem T: f32[128, 8], in frag X: f32[128, 8], out frag Y: f32[128, 4]) {\n"
                "  tmem V: u32[128, 6] at T + 2;\n  tmem N: u32[128, 2] at V + 3;\n  frag Z: u32[128, 2];\n"
                "  copy_async T <- X;\n  wait st;\n  copy_async Z <- N;\n  wait ld;\n  g(T[:, 3:7], Y);\n}\n"
                "kernel k(in A: f32[128, 64]) {\n  tmem P: f32[128, 8];\n  tmem T: f32[128, 64];\n  frag X: "
                "f32[128, 64];\n"
                "  tmem U: f32[128, 32] at T + 32;\n  copy X <- A;\n  f(U[:, 5 +: 8], X[:, 9 +: 8], X[:, "
                "1:5]);\n}\n");
    const Kernel& k = found.program().kernels.back();
    const auto place = [&](std::size_t statement) {
        const Buffer& buffer = k.buffers[std::get<TmemCopy>(k.statements[statement].what).buffer.object];
        CHECK(buffer.group == k.buffers[1].group); // of T
        return buffer.offset;
    };
    CHECK(place(1) == 32 + 5);         // T of f
    CHECK(place(3) == 32 + 5 + 2 + 3); // N
    CHECK(place(5) == 32 + 5 + 3);     // W of g
    CHECK(std::get<TmemCopy>(k.statements[1].what).fragment.col == 9);
    CHECK(std::get<TmemCopy>(k.statements[5].what).fragment.col == 1);
}

TEST_CASE("a region of a fragment fits in other registers, but in their order") {
    const std::string function = "function f(inout frag X: f32[128, 16] atom 16x256b) { X = X + 1.0; }\n";
    const auto call = [&](const std::string& declared, const std::string& argument) {
        return function + "kernel k() {\n  frag Y: " + declared + ";\n  f(" + argument + ");\n}\n";
    };
    accepts(call("f32[128, 32] atom 16x256b", "Y[:, 16:32]"));
    refuses(
        call("f32[128, 16] layout S[(4, 2, 2, 8, 2, 4, 2) : (1@wid_in_wg, 8, 2, 1@laneid, 4, 8@laneid, 1)]",
             "Y"),
        "TM0294", 4, 5, {"spread in different ways"});
    refuses(
        call("f32[128, 16] layout S[(4, 2, 2, 8, 2, 4, 2) : (1@wid_in_wg, 8, 1, 4@laneid, 4, 1@laneid, 2)]",
             "Y"),
        "TM0294", 4, 5, {"another order"});
}

TEST_CASE("a loop of calls brings its images once") {
    const Checked found =
        accepts("function f(out frag X: f32[128, 8]) { frag Y: f32[128, 8]; Y = 1.0; X = Y; }\n"
                "kernel k(out C: f32[128, 8]) {\n  frag X: f32[128, 8];\n"
                "  for i in 0..100 { f(X); }\n  copy C <- X;\n}\n");
    const Kernel& k = found.program().kernels.back();
    CHECK(k.statements.size() == 201);
    CHECK(k.fragments.size() == 101);
    CHECK(k.fragment_images.size() == 1);
    CHECK(k.statements[3].iteration == "i = 1");
}

TEST_CASE("an expanded call counts towards the limit of statements") {
    Options few;
    few.statement_limit = 50;
    refuses("function f(out frag X: f32[128, 8]) { for i in 0..10 { X = 1.0; } }\n"
            "kernel k(out C: f32[128, 8]) {\n  frag X: f32[128, 8];\n  for i in 0..10 { f(X); }\n}\n",
            "TM0231", 4, 7, {"50"}, few);
    const Checked calls =
        checked("function f(out frag X: f32[128, 8]) { for i in 0..10 { X = 1.0; } }\n"
                "kernel k(out C: f32[128, 8]) {\n  frag X: f32[128, 8];\n  f(X);\n  f(X);\n  "
                "f(X);\n  f(X);\n  f(X);\n  f(Y);\n}\n",
                few);
    CHECK(calls.report().find("TM0231 at 8:3") == 0);
    CHECK(calls.report().find("TM0201 at 9:5") != std::string::npos); // other mistakes are found
    CHECK(calls.result.program.kernels.back().statements.empty());    // and nothing was expanded
}

TEST_SUITE_END();

} // namespace tmemc::sema
