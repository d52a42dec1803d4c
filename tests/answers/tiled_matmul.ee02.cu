// SPDX-License-Identifier: Apache-2.0
// mistake: a block computes two tiles of P, one after the other, but sum is set to 0 only once, before the
//   first. With width 17 the grid has one row of blocks; P[16][c] becomes the right value plus P[0][c]
//   (the sum that the same thread had for the tile above).
// want: follow one thread through both of its tiles: what stands in sum when the second one begins?
#include "tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH + 1];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int col = blockIdx.x * TILE_WIDTH + tx;
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;
  float sum = 0.0f;

  // Half as many blocks from top to bottom: each one takes a tile of the upper half, then one of the lower.
  for (int tile_row = blockIdx.y; tile_row < tiles; tile_row += gridDim.y) {
    const int row = tile_row * TILE_WIDTH + ty;
    for (int phase = 0; phase < tiles; ++phase) {
      const int m_col = phase * TILE_WIDTH + tx;
      const int n_row = phase * TILE_WIDTH + ty;
      Mds[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
      Nds[ty][tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
      __syncthreads();
      for (int k = 0; k < TILE_WIDTH; ++k) {
        sum += Mds[ty][k] * Nds[k][tx];
      }
      __syncthreads();
    }
    if (row < width && col < width) {
      P[row * width + col] = sum;
    }
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, (tiles + 1) / 2);
  tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
