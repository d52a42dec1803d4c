// SPDX-License-Identifier: Apache-2.0
// mistake: the pointer into N is set to the column's top once, before the loop over the thread's four rows, and each
//   row moves it k rows down. The second row starts below N's end: only rows 0 to 15 of each 64 are right.
// want: Your first 16 rows are right and the next ones are not. After a thread has finished its first row of P,
//   where does n point, and where does the next inner product have to begin?

#include "rect_matmul.h"

#define BLOCK_WIDTH 16
#define ROWS 4  // rows of P for each thread

__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int col = blockIdx.x * BLOCK_WIDTH + threadIdx.x;
  const int first = blockIdx.y * (BLOCK_WIDTH * ROWS) + threadIdx.y;
  if (col >= l) return;

  const float* n = N + col;

  for (int r = 0; r < ROWS; ++r) {
    const int row = first + r * BLOCK_WIDTH;
    if (row >= j) break;

    const float* m = M + row * k;
    float sum = 0.0f;
    for (int i = 0; i < k; ++i) {
      sum += *m * *n;
      m += 1;
      n += l;
    }
    P[row * l + col] = sum;
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const int rows_per_block = BLOCK_WIDTH * ROWS;
  const dim3 block(BLOCK_WIDTH, BLOCK_WIDTH);
  const dim3 grid((l + BLOCK_WIDTH - 1) / BLOCK_WIDTH, (j + rows_per_block - 1) / rows_per_block);
  rect_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
