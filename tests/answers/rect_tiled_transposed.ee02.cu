// SPDX-License-Identifier: Apache-2.0
// mistake: the tiles are 4 wide, so that a warp reads pieces of 16 bytes, each from another sector of 32: twice
//   the bytes that the threads ask for, where 1.45 times is allowed (j = k = l = 32). The direction of the
//   loads and all values are right, and the bytes asked for, 2 x j x k x l, are just allowed.
// want: how many bytes in a row of Mt does one tile take, and how many come with each sector?
#include "rect_tiled_transposed.h"

// Small tiles: little is wasted at the edges of odd-shaped matrices.
#define TILE 4

__global__ void transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float A[TILE][TILE];
  __shared__ float B[TILE][TILE];
  const int x = threadIdx.x, y = threadIdx.y;
  const int left = blockIdx.x * TILE, top = blockIdx.y * TILE;

  float sum = 0.0f;
  for (int d = 0; d < k; d += TILE) {
    A[y][x] = 0.0f;
    B[y][x] = 0.0f;
    if (d + y < k) {
      if (top + x < j) A[y][x] = Mt[(d + y) * j + top + x];
      if (left + x < l) B[y][x] = N[(d + y) * l + left + x];
    }
    __syncthreads();
    sum += A[0][y] * B[0][x] + A[1][y] * B[1][x] + A[2][y] * B[2][x] + A[3][y] * B[3][x];
    __syncthreads();
  }
  if (top + y < j && left + x < l) P[(top + y) * l + left + x] = sum;
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 grid((l + TILE - 1) / TILE, (j + TILE - 1) / TILE);
  transposed_kernel<<<grid, dim3(TILE, TILE)>>>(Mt, N, P, j, k, l);
}
