// SPDX-License-Identifier: Apache-2.0
// mistake: ceil(width / TILE_WIDTH): the division of two ints has cut off the rest before ceil sees it. Both the
//   phases and the grid are one too few when TILE_WIDTH does not divide width.
// want: What is 17 / 16 in C++, before ceil gets it? Both operands are ints.
#include <cmath>

#include "tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int phases) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    Mds[ty][tx] = (row < width && m_col < width) ? M[row * width + m_col] : 0.0f;
    Nds[ty][tx] = (n_row < width && col < width) ? N[n_row * width + col] : 0.0f;
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

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  // round up, so that the rest gets a tile of its own
  const int tiles = (int)ceil(width / TILE_WIDTH);

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, tiles);
  tiled_matmul_kernel<<<grid, block>>>(M, N, P, width, tiles);
}
