// SPDX-License-Identifier: Apache-2.0
// mistake: the block has 32 x 32 threads, the tile 16 x 16 elements.
// want: Your block has 32 x 32 threads, your tile 16 x 16: tx goes up to 31.
#include "tiled_matmul.h"

#define TILE_WIDTH 16

// P = M x N, all width x width, stored row by row. Each block computes one tile of P, in phases: in each
// phase its threads together load one tile of M and one of N into shared memory, and then add up the
// products of those two tiles.
__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P and of M
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N

  // TODO 1: how many phases does a width of 17 need?
  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;  // the column of M that this thread loads
    const int n_row = phase * TILE_WIDTH + ty;  // the row of N that this thread loads

    // TODO 2: not every (row, m_col) is an element of M, and not every (n_row, col) is one of N.
    // Load only what exists. What should the tile hold where there is no element?
    Mds[ty][tx] = (row < width && m_col < width) ? M[row * width + m_col] : 0.0f;
    Nds[ty][tx] = (n_row < width && col < width) ? N[n_row * width + col] : 0.0f;
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    __syncthreads();
  }

  // TODO 3: does P have an element (row, col)?
  if (row < width && col < width) P[row * width + col] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  // TODO 4: launch enough blocks to cover all of P.
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  const dim3 block(32, 32);
  const dim3 grid(tiles, tiles);
  tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
