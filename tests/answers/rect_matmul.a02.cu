// SPDX-License-Identifier: Apache-2.0
// mistake: returns without a launch when any side is 0, k, too: but then P has j x l elements that must become 0.
// want: With k = 0 P is not empty: it has j x l elements, each of them the sum of no products. Which value is
//   that, and who writes it?
#include "rect_matmul.h"

#define BLOCK_WIDTH 16

// P = M x N: M is j x k, N is k x l, P is j x l, row by row.
__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int r = blockIdx.y * BLOCK_WIDTH + threadIdx.y;
  const int c = blockIdx.x * BLOCK_WIDTH + threadIdx.x;

  if (r < j && c < l) {
    const float* m = M + r * k;  // start of M's row
    const float* n = N + c;      // top of N's column
    float sum = 0.0f;
    for (int i = 0; i < k; ++i) {
      sum += *m * *n;
      m += 1;
      n += l;
    }
    P[r * l + c] = sum;
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  // nothing to compute (and a grid with 0 blocks is an error)
  if (j == 0 || k == 0 || l == 0) return;

  const dim3 block(BLOCK_WIDTH, BLOCK_WIDTH);
  const dim3 grid((l - 1) / BLOCK_WIDTH + 1, (j - 1) / BLOCK_WIDTH + 1);
  rect_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
