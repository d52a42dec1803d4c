// SPDX-License-Identifier: Apache-2.0
// mistake: the sum begins with the first product instead of with 0. With k = 0 there is no first product: it reads
//   elements that M and N do not have, and stores something else than 0.
// want: What does a thread read and store when k is 0? Let the sum begin with 0, and the loop with i = 0.
#include "rect_matmul.h"

#define BLOCK_WIDTH 16

__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int col = threadIdx.x + blockIdx.x * blockDim.x;
  const int row = threadIdx.y + blockIdx.y * blockDim.y;
  if (col >= l) return;
  if (row >= j) return;

  const float* m = M + row * k;  // goes right
  const float* n = N + col;      // goes down

  // start with the first one, saves an addition
  float dot = *m * *n;
  for (int i = 1; i < k; ++i) {
    ++m;
    n += l;
    dot += *m * *n;
  }
  P[row * l + col] = dot;
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j < 1 || l < 1) return;
  const dim3 block(BLOCK_WIDTH, BLOCK_WIDTH);
  const dim3 grid((l - 1) / BLOCK_WIDTH + 1, (j - 1) / BLOCK_WIDTH + 1);
  rect_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
