// SPDX-License-Identifier: Apache-2.0
// mistake: a thread has four columns 32 apart; where not all four exist, the other path computes only the first
//   of them, and the second and third stay unwritten (l = 40: columns 32 to 39).
// want: which columns does thread tx = 3 own when l is 40, and which of them exist? Each of the four needs its
//   own check; all or one is not enough.
#include "rect_matmul.h"

#define BLOCK_X 32
#define BLOCK_Y 8
#define COLUMNS 4  // of P, for a thread

__device__ float dot(const float* m, const float* n, int k, int l) {
  float sum = 0.0f;
  for (int i = 0; i < k; ++i) {
    sum += m[i] * n[i * l];
  }
  return sum;
}

// P = M x N: M is j x k, N is k x l, P is j x l. Each element of M that a thread reads serves four columns.
__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int row = blockIdx.y * BLOCK_Y + threadIdx.y;
  const int col = blockIdx.x * BLOCK_X * COLUMNS + threadIdx.x;
  if (row >= j) return;

  const float* m = M + row * k;
  if (col + (COLUMNS - 1) * BLOCK_X < l) {
    float sum[COLUMNS] = {};
    for (int i = 0; i < k; ++i) {
      const float a = m[i];
#pragma unroll
      for (int c = 0; c < COLUMNS; ++c) {
        sum[c] += a * N[i * l + col + c * BLOCK_X];
      }
    }
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c) {
      P[row * l + col + c * BLOCK_X] = sum[c];
    }
  } else if (col < l) {
    // At the right edge one by one.
    P[row * l + col] = dot(m, N + col, k, l);
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 block(BLOCK_X, BLOCK_Y);
  const dim3 grid((l + BLOCK_X * COLUMNS - 1) / (BLOCK_X * COLUMNS), (j + BLOCK_Y - 1) / BLOCK_Y);
  rect_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
