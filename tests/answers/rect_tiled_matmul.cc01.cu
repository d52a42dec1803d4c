// SPDX-License-Identifier: Apache-2.0
// mistake: one bool, base + tx < k, is used for both loads; N's row is base + ty. Where k is no multiple of 16, columns
//   of N are taken for missing, and rows that do not exist are read. j = 1, k = 1, l = 2: thread tx = 1 puts
//   0 for N[0][1], and P[0][1] is 0; and thread tx = 0, ty = 1 reads N[1][0], past the end.
// want: for k = 1, l = 2: which thread loads N[0][1], and what does it ask before it does?
#include "rect_tiled_matmul.h"

#define TILE 16

__global__ void walk(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float sm[TILE][TILE];
  __shared__ float sn[TILE][TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;

  // m walks to the right, n walks down
  const float* m = M + (size_t)row * k + tx;
  const float* n = N + (size_t)ty * l + col;

  float sum = 0.0f;
  for (int base = 0; base < k; base += TILE) {
    const bool within = base + tx < k;  // is there still something along k?
    sm[ty][tx] = within && row < j ? *m : 0.0f;
    sn[ty][tx] = within && col < l ? *n : 0.0f;
    m += TILE;
    n += (size_t)TILE * l;
    __syncthreads();
    for (int i = 0; i < TILE; ++i) sum += sm[ty][i] * sn[i][tx];
    __syncthreads();
  }
  if (row < j && col < l) P[(size_t)row * l + col] = sum;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  walk<<<dim3((l + TILE - 1) / TILE, (j + TILE - 1) / TILE), dim3(TILE, TILE)>>>(M, N, P, j, k, l);
}
