// SPDX-License-Identifier: Apache-2.0
// mistake: One row of blocks for each row of P, so the grid's y is j; a grid has at most 65535 blocks in y. Case: j
//   70000, k 1, l 1: the launch fails and P is not stored. Up to j = 65535 all is right.
// want: How many blocks has your grid in y when P has 70000 rows, and how many may a grid have in that direction?
#include "rect_matmul.h"

// blockIdx.y is the row; the threads of a block stand side by side in it.
__global__ void one_row(const float* M, const float* N, float* P, int k, int l) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= l) return;

  const float* m = M + (size_t)blockIdx.y * k;
  const float* n = N + col;
  float sum = 0.0f;
  for (const float* end = m + k; m != end; ++m, n += l) {
    sum += *m * *n;
  }
  P[(size_t)blockIdx.y * l + col] = sum;
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const int threads = 128;
  const dim3 grid((l + threads - 1) / threads, j);
  one_row<<<grid, threads>>>(M, N, P, k, l);
}
