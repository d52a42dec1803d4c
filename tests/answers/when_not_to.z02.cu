// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: a warp whose chunk of 32 * coarse_factor elements does not exist as a whole leaves at once, so that
//   the tail is never stored (length 1000, coarse_factor 1: C[992] to C[999]; length 100, coarse_factor 4: all of C).
//   And in the .toml idle_multiprocessors is 0, the answer for coarse_factor 1; with 8 there are 32 blocks, and 76
//   multiprocessors have none. (Chunks by warp, lanes on neighbours, are right.)
// want: Let length be 100 and coarse_factor 4. Which elements does warp 0 store? (And how many blocks are launched for 65536
//   elements when coarse_factor is 8?)
#include "when_not_to.h"

constexpr int kBlock = 256;
constexpr int kWarps = kBlock / 32;

// Each warp has its own chunk of 32 * coarse_factor elements; its lanes go through it side by side.
__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int warp = blockIdx.x * kWarps + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;

  const int begin = warp * 32 * coarse_factor;
  const int end = begin + 32 * coarse_factor;
  if (end > length) return;  // stay inside the arrays

  for (int i = begin + lane; i < end; i += 32) {
    C[i] = A[i] + B[i];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int per_block = kBlock * coarse_factor;
  const int blocks = (length + per_block - 1) / per_block;
  when_not_to_kernel<<<blocks, kBlock>>>(A, B, C, length, coarse_factor);
}
