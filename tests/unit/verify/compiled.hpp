// The programs that verify is tried on: every example, and kernels for what no example shows.
#pragma once

#include "base/render.hpp"
#include "pipeline.hpp"
#include "verify/verify.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace tmemc::test {

struct Sample {
    std::string name, text;
};

inline const char* const extra_programs[][2] = {
    {"remainders by zero", R"(kernel k(in A: s8[128, 8], out B: s8[128, 8]) {
  frag X: s8[128, 8];
  copy X <- A;
  X = X % (X - X) + X / (X - X);
  copy B <- X;
})"},
    {"NaNs of 16 bits", R"(kernel k(in A: f16[128, 8], out B: f16[128, 8], out C: f32[128, 8]) {
  frag X: f16[128, 8];
  frag Y: f32[128, 8];
  frag Z: bf16[128, 8];
  copy X <- A;
  Z = cast<bf16>(X);
  Y = log2(Z);
  X = -sqrt(X);
  copy B <- X;
  copy C <- Y;
})"},
    {"casts that wrap or narrow twice",
     R"(kernel k(in A: u8[128, 8], in D: u32[128, 8], out B: u32[128, 8], out C: tf32[128, 8]) {
  frag X: u8[128, 8];
  frag Y: u32[128, 8];
  frag Z: tf32[128, 8];
  copy X <- A;
  copy Y <- D;
  Z = cast<tf32>(Y);
  Y = cast<u8>(X + X) / 2;
  copy B <- Y;
  copy C <- Z;
})"},
    {"staged, and read back by other lanes",
     R"(kernel k(in A: f16[64, 32], inout B: f16[64, 48], in C: u8[128, 20], out D: u8[128, 24]) warpgroups(2) {
  frag X: f16[64, 32] atom 16x64b;
  frag Y: u8[128, 20];
  on warpgroup 1 {
    copy X <- A staged;
    copy B[:, 8:40] <- X staged;
    copy X[:, 0:16] <- B[:, 8:24] direct;
    copy B[:, 0:16] <- X[:, 0:16] direct;
  }
  on warpgroup 0 {
    copy Y[5:61, :] <- C[1:57, :] staged;
    copy D[20:60, 3:19] <- Y[21:61, 2:18] staged;
  }
})"},
    {"two warpgroups",
     R"(kernel k(in A: u32[128, 16], out B: u32[128, 16], out C: u32[128, 16]) warpgroups(2) {
  tmem T: u32[128, 16];
  tmem U: u32[128, 16];
  frag X: u32[128, 16];
  frag Y: u32[128, 16] atom 16x256b;
  copy X <- A;
  on warpgroup 0 { copy_async T <- X; wait st; }
  on warpgroup 1 { copy_async U <- X; wait st; }
  sync;
  on warpgroup 1 { copy_async Y <- T; wait ld; copy B <- Y; }
  on warpgroup 0 { copy_async Y <- U; wait ld; copy C <- Y; }
})"},
    {"loads of one warpgroup before the allocation",
     R"(kernel k(in A: u8[128, 32], out B: u8[128, 32]) warpgroups(2) {
  tmem T: u8[128, 32];
  frag X: u8[128, 32];
  on warpgroup 0 {
    copy X <- A;
    copy_async T <- X;
    wait st;
  }
  sync;
  on warpgroup 1 {
    copy_async X <- T;
    wait ld;
    copy B <- X;
  }
})"},
    {"slices of B", R"(kernel k(in A: f32[64, 32], out B: f32[64, 8]) {
  tmem T: f32[64, 32] datapath B;
  frag X: f32[64, 32] atom 32x32b;
  frag Y: f32[64, 32] atom 32x32b;
  copy X <- A;
  Y = 1.5;
  copy_async T <- X;
  wait st;
  copy_async Y[:, 4 +: 8] <- T[:, 4 +: 8];
  copy_async Y[0:32, 16 +: 8] <- T[0:32, 16 +: 8];
  wait ld;
  copy B <- Y[:, 4 +: 8];
})"},
    {"masked edges", R"(kernel k(in A: f32[300, 16], out B: f32[300, 16]) grid(3, 2) {
  frag MaskedRows: f32[128, 8];
  copy MaskedRows <- A[cta.x*128 +: 128, cta.y*8 +: 8] masked direct;
  copy B[cta.x*128 +: 128, cta.y*8 +: 8] <- MaskedRows masked direct;
})"},
    {"edges that stand still", R"(kernel k(in A: u8[100, 30], out B: u8[100, 30], in V: u8[n], n: u32) {
  frag Masked: u8[128, 32];
  copy Masked <- A[0 +: 128, 0 +: 32] masked direct;
  copy B[-3 +: 128, -5 +: 32] <- Masked masked direct;
  copy Masked[5, :] <- V[4 +: 32] masked direct;
  sync;
  copy B[0:100, 0:30] <- Masked[0:100, 0:30] direct;
})"},
    {"two maps of one tensor", R"(kernel k(inout B: f32[128, 8], out C: f32[128, 8]) {
  frag X: f32[128, 8];
  frag Y: f32[128, 8] atom 16x256b;
  copy X <- B direct;
  X = X + 1.0;
  copy B <- X direct;
  copy Y <- B direct;
  Y = Y + 1.0;
  copy B <- Y direct;
  copy X <- B direct;
  copy C <- X direct;
})"},
    {"sizes given at launch",
     R"(kernel k(in A: f16[n, 16] pitch p, inout B: f16[m, 16] pitch q, n: u32, m: u32, p: u32, q: u32) grid(2) {
  frag Masked: f16[128, 16] atom 16x128b;
  for i in 0..2 { copy Masked[i*64 +: 64, :] <- A[cta.x*128 + i*64 +: 64, :] masked; }
  copy B[cta.x*128 +: 128, :] <- Masked masked;
})"},
    {"unpacked", R"(kernel k(in A: f16[128, 16], out B: f16[128, 16]) {
  tmem T: f16[128, 16] unpacked;
  frag X: f16[128, 16];
  frag Y: f16[128, 16] atom 16x128b;
  copy X <- A;
  copy_async T <- X;
  wait st;
  copy_async Y <- T;
  wait ld;
  copy B <- Y;
})"},
    {"bytes apart", R"(kernel k(in A: u8[128, 32], in C: u8[128, 32] align 1, out B: u8[128, 32]) grid(4, 2) {
  tmem T: u8[128, 32];
  frag X: u8[128, 32];
  frag Z: u8[128, 32] atom 16x64b;
  X = 7;
  for i in 0..2 { copy X[i*64 +: 64, 0:16] <- A[i*64 +: 64, 16:32]; }
  copy X[:, 3:9] <- C[:, 5:11];
  copy_async T <- X;
  wait st;
  copy_async Z <- T;
  wait ld;
  copy B <- Z;
})"},
    {"parts of registers",
     R"(kernel k(in A: u8[128, 32], in C: s16[128, 32], out B: u8[128, 32], out D: s16[128, 32]) {
  frag Part: u8[128, 32];
  frag H: s16[128, 32] atom 16x128b;
  copy Part[:, 3:9] <- A[:, 5:11];
  copy B[:, 4:10] <- Part[:, 3:9];
  copy H <- C;
  copy H[32:64, 8:16] <- C[1:33, 7:15];
  copy D <- H;
})"},
    {"F, both halves, x2", R"(kernel k(in A: f32[64, 16], out B: f32[64, 16], out C: f32[64, 48]) {
  tmem T: f32[64, 16] datapath F sub_slab 1;
  tmem U: f32[64, 48] datapath F;
  frag X: f32[64, 16] atom 16x256b;
  frag Y: f32[64, 16] atom 16x32bx2;
  frag Z: f32[64, 48] atom 16x32bx2;
  copy X <- A;
  Z = 2.0;
  copy_async T <- X;
  copy_async U <- Z;
  wait st;
  copy_async Y <- T;
  copy_async Z <- U;
  wait ld;
  copy B <- Y;
  copy C <- Z;
})"},
    {"a loop", R"(kernel k(in A: f32[128, 256], out B: f32[128, 256]) {
  tmem T: f32[128, 256];
  for c in 0..8 {
    frag X: f32[128, 32];
    frag Y: f32[128, 32] atom 16x64b;
    copy X <- A[:, c*32 +: 32];
    copy_async T[:, c*32 +: 32] <- X;
    wait st;
    copy_async Y <- T[:, c*32 +: 32];
    wait ld;
    copy B[:, c*32 +: 32] <- Y;
  }
})"},
    {"functions of every kind of parameter",
     R"(function store_scaled(tmem acc: f32[128, 64] datapath D, out C: bf16[128, 64], scale: f32) {
  frag X: f32[128, 32];
  frag Y: bf16[128, 32];
  for c in 0..2 {
    copy_async X <- acc[:, c*32 +: 32];
    wait ld;
    Y = cast<bf16>(X * scale);
    copy C[:, c*32 +: 32] <- Y staged;
  }
}
function tail(in A: f16[n, 16] pitch p, inout B: f16[n, 16], n: u32, p: u32, h: f16, i: s8) {
  frag X: f16[128, 16] atom 16x128b;
  copy X <- A[0 +: 128, :] masked direct;
  X = X * h;
  X = cast<f16>(cast<f32>(X) + cast<f32>(i));
  copy B[4 +: 128, :] <- X masked direct;
}
function between(inout tmem T: u16[64, 16] datapath F sub_slab 1 unpacked, tmem U: f32[128, 8],
                 inout frag X: u16[64, 16] atom 16x64b, in frag M: f32[128], out frag Y: f32[128, 8]) {
  frag Z: u16[64, 16] atom 16x64b;
  copy_async Z <- T;
  copy_async Y <- U;
  wait ld;
  copy_async T <- X;
  Y = Y * rows(M);
  X = X + Z;
  wait st;
})"},
    {"calls of functions",
     R"(function load(tmem acc: f32[128, 16], out frag X: f32[128, 16] atom 16x256b, a: f32) {
  tmem half: f32[128, 8] at acc + 8;
  copy_async X[:, 0:8] <- acc[:, 0:8];
  copy_async X[:, 8:16] <- half;
  wait ld;
  scale(X, a);
}
function scale(inout frag X: f32[128, 16] atom 16x256b, a: f32) { X = X * a; }
function put(in frag X: f32[128, 16] atom 16x256b, out C: f32[128, 16]) { copy C <- X staged; }
kernel k(in A: f32[256, 32], out C: f32[256, 32], b: f32) grid(2) warpgroups(2) {
  tmem T: f32[128, 32];
  frag X: f32[128, 32];
  frag Y: f32[128, 32] atom 16x256b;
  on warpgroup 0 {
    copy X <- A[cta.x*128 +: 128, :];
    copy_async T <- X;
    wait st;
  }
  sync;
  on warpgroup 1 {
    load(T[:, 0:16], Y[:, 16:32], b);
    load(T[:, 16:32], Y[:, 0:16], 0.5);
    for c in 0..2 { put(Y[:, c*16 +: 16], C[cta.x*128 +: 128, c*16 +: 16]); }
  }
})"},
    {"no tensor memory", R"(kernel k(in A: s16[128, 6] pitch 100, out B: s16[128, 6]) {
  frag X: s16[128, 6];
  copy X <- A;
  sync;
  copy B <- X;
})"},
};

inline std::vector<Sample> samples() {
    std::vector<Sample> list;
    for (const auto& entry : std::filesystem::directory_iterator("../examples")) {
        if (entry.path().extension() != ".tmx") continue;
        std::ifstream file(entry.path());
        list.push_back({entry.path().filename().string(), {std::istreambuf_iterator<char>(file), {}}});
    }
    std::sort(list.begin(), list.end(), [](const Sample& a, const Sample& b) { return a.name < b.name; });
    for (const auto& [name, text] : extra_programs) list.push_back({name, text});
    return list;
}

inline std::string explain(const Compilation& made, const base::Source& source) {
    std::string text;
    for (const base::Diagnostic& each : made.diagnostics.list) text += base::render_text(each, source, {});
    return text;
}

} // namespace tmemc::test
