// SPDX-License-Identifier: Apache-2.0
// differs: the usual kernel with tiles of 8 x 8 instead of 16 x 16, and the phases counted down from the last one.

#include "tiled_matmul.h"

#define TILE_WIDTH 8

__global__ void small_tiles(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH], Nds[TILE_WIDTH][TILE_WIDTH];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty, col = blockIdx.x * TILE_WIDTH + tx;

  float sum = 0.0f;
  for (int phase = (width + TILE_WIDTH - 1) / TILE_WIDTH; phase-- > 0;) {
    const int m_col = phase * TILE_WIDTH + tx, n_row = phase * TILE_WIDTH + ty;
    Mds[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
    Nds[ty][tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
    __syncthreads();
    for (int k = TILE_WIDTH; k-- > 0;) sum += Mds[ty][k] * Nds[k][tx];
    __syncthreads();
  }
  if (row < width && col < width) P[row * width + col] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;
  small_tiles<<<dim3(tiles, tiles), dim3(TILE_WIDTH, TILE_WIDTH)>>>(M, N, P, width);
}
