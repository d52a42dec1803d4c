// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the warp's sum stops after the step of 2 (off > 1), so the lanes with odd numbers
//   never get to lane 0: k = 2 gives only the first of two products, k = 1 is right. And where j or l is 0 the
//   grid has 0 blocks: the launch fails with an invalid configuration instead of doing nothing.
// want: Which lanes' sums have come to lane 0 after the steps 16, 8, 4 and 2? Try k = 2. (Then: how many
//   blocks do you launch for j = 0?)
#include "rect_matmul.h"

// One warp for each element of P: the lanes share the products and add up with shuffles.
#define WARPS 8

__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int total, int k, int l) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  const int lane = threadIdx.x & 31;
  if (warp >= total) return;  // a whole warp goes

  const int row = warp / l;
  const int col = warp - row * l;

  float sum = 0.0f;
  for (int i = lane; i < k; i += 32) sum += M[row * k + i] * N[i * l + col];

  for (int off = 16; off > 1; off >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, off);

  if (lane == 0) P[warp] = sum;
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  const int total = j * l;
  const int blocks = (total + WARPS - 1) / WARPS;
  rect_matmul_kernel<<<blocks, WARPS * 32>>>(M, N, P, total, k, l);
}
