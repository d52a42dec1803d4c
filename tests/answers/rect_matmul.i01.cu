// SPDX-License-Identifier: Apache-2.0
// mistake: where k is 0, cudaMemset gets the number of elements, j * l, where it wants bytes: only the first quarter
//   of P becomes zero, the rest keeps what was there. Right wherever k is at least 1.
// want: Only k = 0 is wrong, and there the beginning of P is right. How far does the right part reach, and in what
//   does cudaMemset count?
#include "rect_matmul.h"

#define BLOCK_WIDTH 16

__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= l || y >= j) return;

  const float* a = M + y * k;  // walks along the row
  const float* b = N + x;      // walks down the column
  float s = 0.0f;
  for (int n = k; n > 0; --n) {
    s += *a * *b;
    a += 1;
    b += l;
  }
  P[y * l + x] = s;
}

static int blocks_for(int side) { return (side + BLOCK_WIDTH - 1) / BLOCK_WIDTH; }

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;  // no P
  if (k == 0) {
    // no products: everything is 0
    cudaMemset(P, 0, j * l);
    return;
  }
  const dim3 block(BLOCK_WIDTH, BLOCK_WIDTH);
  const dim3 grid(blocks_for(l), blocks_for(j));
  rect_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
