// SPDX-License-Identifier: Apache-2.0
// mistake: where k is 0, cudaMemset is given the number of elements of P and not of bytes: only the first quarter of P
//   becomes 0. j = 2, k = 0, l = 4: 8 bytes, elements 0 and 1; P[2] to P[7] keep what they had.
// want: How many floats does your cudaMemset clear for j = 2, k = 0, l = 4? In what does its third argument count?
#include "rect_matmul.h"

#define BLOCK_WIDTH 16

// P = M x N: M is j x k, N is k x l, P is j x l, row by row.
__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int row = blockIdx.x * BLOCK_WIDTH + threadIdx.y;  // tile rows along x: there may be many
  const int col = blockIdx.y * BLOCK_WIDTH + threadIdx.x;
  if (row >= j || col >= l) return;

  const float* m = M + size_t(row) * k;
  const float* n = N + col;
  const float* const end = m + k;
  float sum = 0.0f;
  do {
    sum += *m * *n;
    n += l;
  } while (++m != end);
  P[size_t(row) * l + col] = sum;
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  const size_t elements = size_t(j) * l;
  if (elements == 0) return;
  if (k == 0) {  // sums of no products
    cudaMemset(P, 0, elements);
    return;
  }
  const dim3 block(BLOCK_WIDTH, BLOCK_WIDTH);
  const dim3 grid((j + BLOCK_WIDTH - 1) / BLOCK_WIDTH, (l + BLOCK_WIDTH - 1) / BLOCK_WIDTH);
  rect_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
