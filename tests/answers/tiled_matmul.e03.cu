// SPDX-License-Identifier: Apache-2.0
// mistake: the last phase sums width % TILE_WIDTH products. Where the tile divides width this is 0 and not
//   TILE_WIDTH: the last phase then adds nothing, and P lacks the products of a whole tile.
// want: The odd widths are right. How many products does your last phase add when width is 32, and how many
//   should it add?

#include "tiled_matmul.h"

#define TILE_WIDTH 32

__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;
  const bool mine = row < width && col < width;

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    // No zeros needed: nobody reads a place that was not loaded, see the loop below.
    if (row < width && m_col < width) Mds[ty][tx] = M[row * width + m_col];
    if (n_row < width && col < width) Nds[ty][tx] = N[n_row * width + col];
    __syncthreads();

    // the last tiles are narrower
    const int steps = phase == phases - 1 ? width % TILE_WIDTH : TILE_WIDTH;
    if (mine) {
      for (int k = 0; k < steps; ++k) {
        sum += Mds[ty][k] * Nds[k][tx];
      }
    }
    __syncthreads();
  }

  if (mine) P[row * width + col] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, tiles);
  tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
