// SPDX-License-Identifier: Apache-2.0
// mistake: n / SEGMENT + 1 blocks: where n is a multiple of 256 that is one too many, and the last block stores sums[n / 256], which
//   does not exist. n = 256: sums has one element, block 1 stores 0 to sums[1]. (The interleaved steps at the end are
//   right: they go over 32 words only, each in a bank of its own.)
// want: How many blocks do you launch for n = 256, and which element of sums does the last of them store?
#include "reduce_sequential.h"

// One warp a segment. Each lane first adds its eight elements in a register.
__global__ void one_warp_kernel(const float* X, float* sums, int n) {
  __shared__ float part[32];
  const int lane = threadIdx.x;

  float mine = 0.0f;
  int at = blockIdx.x * SEGMENT + lane;
  const int end = min(n, (int)(blockIdx.x + 1) * SEGMENT);
  for (; at < end; at += 32) mine += X[at];
  part[lane] = mine;
  __syncwarp();

  // 32 words in 32 banks: here it makes no difference in which order they come
  for (int stride = 1; stride < 32; stride *= 2) {
    const int to = 2 * stride * lane;
    if (to < 32) part[to] += part[to + stride];
    __syncwarp();
  }

  if (lane == 0) sums[blockIdx.x] = part[0];
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int blocks = n / SEGMENT + 1;  // and one for the rest
  one_warp_kernel<<<blocks, 32>>>(X, sums, n);
}
