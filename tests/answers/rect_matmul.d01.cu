// SPDX-License-Identifier: Apache-2.0
// mistake: k is cut into four slices (blockIdx.z), whose sums are added to P with atomicAdd; slice 0 sets the element to 0
//   first, and nothing makes the other slices' blocks wait for that: their sums get lost or come on top of what P held.
// want: Which block stores the 0, and which one adds first? What makes the second wait for the first?
#include "rect_matmul.h"

#define BLOCK_WIDTH 16
#define SLICES 4

__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int row = blockIdx.y * BLOCK_WIDTH + threadIdx.y;
  const int col = blockIdx.x * BLOCK_WIDTH + threadIdx.x;
  if (row >= j || col >= l) return;

  float* p = P + row * l + col;

  // The first slice comes first.
  if (blockIdx.z == 0) {
    *p = 0.0f;
    __threadfence();
  }

  const int per_slice = (k + SLICES - 1) / SLICES;
  const int begin = blockIdx.z * per_slice;
  const int end = min(begin + per_slice, k);

  float sum = 0.0f;
  for (int i = begin; i < end; ++i) {
    sum += M[row * k + i] * N[i * l + col];
  }
  atomicAdd(p, sum);
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;

  const dim3 block(BLOCK_WIDTH, BLOCK_WIDTH);
  const dim3 grid((l + BLOCK_WIDTH - 1) / BLOCK_WIDTH, (j + BLOCK_WIDTH - 1) / BLOCK_WIDTH, SLICES);
  rect_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
