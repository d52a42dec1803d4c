// SPDX-License-Identifier: Apache-2.0
// mistake: if (row >= j && col >= l) return: a thread leaves only if neither its row nor its column exists.
// want: A thread must leave if one of the two does not exist. Write || in place of &&.

#include "rect_matmul.h"

#define BLOCK_WIDTH 16

// P = M x N: M is j x k, N is k x l, P is j x l, row by row.
__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int row = blockIdx.y * BLOCK_WIDTH + threadIdx.y;  // of P and of M: below j
  const int col = blockIdx.x * BLOCK_WIDTH + threadIdx.x;  // of P and of N: below l
  if (row >= j && col >= l) return;
  {
    float sum = 0.0f;
    // M[row][i] and N[i][col]: i walks along a row of M, and down a column of N, k steps both times.
    for (int i = 0; i < k; ++i) {
      sum += M[row * k + i] * N[i * l + col];
    }
    P[row * l + col] = sum;
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  // A launch with an empty grid is an error. k == 0 is no reason to leave: then all of P is 0.
  if (j == 0 || l == 0) return;

  // x counts columns, and P has l of them; y counts rows.
  const dim3 block(BLOCK_WIDTH, BLOCK_WIDTH);
  const dim3 grid((l + BLOCK_WIDTH - 1) / BLOCK_WIDTH, (j + BLOCK_WIDTH - 1) / BLOCK_WIDTH);
  rect_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
