// SPDX-License-Identifier: Apache-2.0
// mistake: a bank conflict of 4 ways. Lane t adds the 8 elements from 8 t on and begins at the t-th of them, modulo 8. In
//   each step the bank is (8 t + (k + t) % 8) % 32, the same for t, t + 8, t + 16 and t + 24: lanes 0, 8, 16 and
//   24 read the words 0, 64, 128 and 192 at k = 0, all of bank 0. (Begun at t / 4 it would be free of conflicts.)
//   The sums are right.
// want: which words do lanes 0 and 8 read at k = 0, and in which banks do they lie? Which lanes should begin at
//   different places?
#include "reduce_sequential.h"

#define ALL 0xffffffffu

__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float s[SEGMENT];

  const unsigned t = threadIdx.x;
  const long long i = 1LL * blockIdx.x * SEGMENT + t;
  s[t] = i < n ? X[i] : 0.0f;
  __syncthreads();

  if (t < 32) {
    // One warp does the rest: eight elements for each lane, begun at another one in each lane because of the banks.
    const float* mine = &s[8 * t];
    float v = 0.0f;
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) v += mine[(k + t) & 7];

    v += __shfl_xor_sync(ALL, v, 1);
    v += __shfl_xor_sync(ALL, v, 2);
    v += __shfl_xor_sync(ALL, v, 4);
    v += __shfl_xor_sync(ALL, v, 8);
    v += __shfl_xor_sync(ALL, v, 16);
    if (t == 31) sums[blockIdx.x] = v;
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  reduce_kernel<<<(n + SEGMENT - 1) / SEGMENT, SEGMENT>>>(X, sums, n);
}
