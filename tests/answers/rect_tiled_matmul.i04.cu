// SPDX-License-Identifier: Apache-2.0
// mistake: two. Blocks of 32 x 8 threads compute 8 rows of P, but the grid is as high as if they computed 32: where j
//   is above 8, rows from 8 * ceil(j / 32) on are never stored. And each thread loads four rows of N's tile after a
//   check of the first one only: where 32 does not divide k, the last phase reads past the end of N (what it reads
//   meets zeros of M, so that values differ only if it is infinite or NaN).
// want: How many rows of P does one of your blocks store? How many blocks do 40 rows need? And when that is right:
//   k = 5, which four rows of N does ty = 0 read?
#include "rect_tiled_matmul.h"

#define WIDE 32
#define HIGH 8

__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float a[HIGH][WIDE];
  __shared__ float b[WIDE][WIDE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * HIGH + ty;
  const int col = blockIdx.x * WIDE + tx;

  float sum = 0.0f;
  for (int p = 0; p < k; p += WIDE) {
    a[ty][tx] = row < j && p + tx < k ? M[row * k + p + tx] : 0.0f;

    const bool exists = p + ty < k && col < l;
    for (int r = 0; r < WIDE; r += HIGH) {
      b[ty + r][tx] = exists ? N[(p + ty + r) * l + col] : 0.0f;
    }
    __syncthreads();

    for (int i = 0; i < WIDE; ++i) {
      sum += a[ty][i] * b[i][tx];
    }
    __syncthreads();
  }

  if (row < j && col < l) {
    P[row * l + col] = sum;
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 block(WIDE, HIGH);
  const dim3 grid((l + WIDE - 1) / WIDE, (j + WIDE - 1) / WIDE);
  rect_tiled_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
