// SPDX-License-Identifier: Apache-2.0
// mistake: (1) the sum begins with the first product: with k = 0 there is none, it reads M and N where nothing
//   is, and P does not get zeros. (2) blocks are 32 x 8, the grid's height is computed with 32: of every
//   32 rows of P only 8 get a thread (j above 8).
// want: What is the first product when k is 0? And how many rows does one of your blocks cover: does the
//   height of the grid agree with that when j is 9?

#include "rect_matmul.h"

#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))

__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= j || col >= l) return;

  const float* m = M + row * k;
  const float* n = N + col;

  float sum = m[0] * n[0];
  for (int i = 1; i < k; ++i) {
    n += l;
    sum += m[i] * n[0];
  }
  P[row * l + col] = sum;
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  // nothing to compute
  if (j * l == 0) return;

  // a warp is one row of the block: neighbours in P, neighbours in N
  const dim3 block(32, 8);
  const dim3 grid(CEIL_DIV(l, 32), CEIL_DIV(j, 32));
  rect_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
