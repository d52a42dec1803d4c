// SPDX-License-Identifier: Apache-2.0
// Bit intrinsics: population count, leading zeros, find first set, reversal, byte permutation, funnel
// shifts, reinterpretation, and a Morton code built from them.
#include "tests/kernels/expect.h"

constexpr int kResults = 14;

__device__ unsigned spread(unsigned v) {
  v = (v | v << 8) & 0x00ff00ffu;
  v = (v | v << 4) & 0x0f0f0f0fu;
  v = (v | v << 2) & 0x33333333u;
  return (v | v << 1) & 0x55555555u;
}

__global__ void twiddle(const unsigned* in, unsigned long long* out) {
  int i = threadIdx.x;
  unsigned v = in[i], w = in[(i + 1) % blockDim.x];
  unsigned long long wide = static_cast<unsigned long long>(v) << 32 | w;
  unsigned long long* to = out + i * kResults;
  to[0] = __popc(v);
  to[1] = __popcll(wide);
  to[2] = __clz(v);
  to[3] = __clzll(wide);
  to[4] = __ffs(v);
  to[5] = __ffsll(wide);
  to[6] = __brev(v);
  to[7] = __brevll(wide);
  to[8] = __byte_perm(v, w, 0x3564);
  to[9] = __funnelshift_l(v, w, i);
  to[10] = __funnelshift_rc(v, w, i + 16);
  to[11] = __float_as_uint(__uint_as_float(v & 0x7fffffff) * 0.0f + 1.0f) == 0x3f800000u ||
           (v & 0x7f800000) == 0x7f800000;
  to[12] = spread(v & 0xffff) | spread(w & 0xffff) << 1;
  to[13] =
      (v << (i & 31) | v >> (32 - (i & 31) & 31)) ^ static_cast<unsigned>(static_cast<int>(w) >> (i & 31));
}

unsigned Reverse(unsigned v) {
  unsigned r = 0;
  for (int k = 0; k < 32; ++k) r |= (v >> k & 1) << (31 - k);
  return r;
}

int main() {
  const int count = 96;
  std::vector<int> numbers = Integers(count, 9);
  std::vector<unsigned> in;
  for (int value : numbers) in.push_back(static_cast<unsigned>(value) * 2654435761u);
  in[0] = 0, in[1] = 0, in[2] = 1, in[3] = 0x80000000u, in[4] = 0xffffffffu;
  unsigned* din = OnDevice(in);
  unsigned long long* dout = OnDevice<unsigned long long>(count * kResults);
  twiddle<<<1, count>>>(din, dout);
  FINISH();
  auto out = FromDevice(dout, count * kResults);
  for (int i = 0; i < count; ++i) {
    const unsigned v = in[i], w = in[(i + 1) % count];
    const unsigned long long wide = static_cast<unsigned long long>(v) << 32 | w,
                             swapped = static_cast<unsigned long long>(w) << 32 | v;
    unsigned permuted = 0, morton = 0;
    for (int k = 0; k < 4; ++k) permuted |= (swapped >> 8 * (0x3564 >> 4 * k & 7) & 255) << 8 * k;
    for (int k = 0; k < 16; ++k) morton |= (v >> k & 1) << 2 * k | (w >> k & 1) << (2 * k + 1);
    const unsigned long long wanted[kResults] = {
        static_cast<unsigned>(__builtin_popcount(v)),
        static_cast<unsigned>(__builtin_popcountll(wide)),
        v ? static_cast<unsigned>(__builtin_clz(v)) : 32u,
        wide ? static_cast<unsigned>(__builtin_clzll(wide)) : 64u,
        static_cast<unsigned>(__builtin_ffs(static_cast<int>(v))),
        static_cast<unsigned>(__builtin_ffsll(static_cast<long long>(wide))),
        Reverse(v),
        static_cast<unsigned long long>(Reverse(w)) << 32 | Reverse(v),
        permuted,
        swapped << (i & 31) >> 32,
        i + 16 >= 32 ? w : (swapped >> (i + 16)) & 0xffffffffu,
        1,
        morton,
        (v << (i & 31) | v >> (32 - (i & 31) & 31)) ^ static_cast<unsigned>(static_cast<int>(w) >> (i & 31))};
    for (int k = 0; k < kResults; ++k)
      ExpectBits("result", i * kResults + k, out[i * kResults + k], wanted[k]);
  }
  return Result();
}
