// SPDX-License-Identifier: Apache-2.0
// mistake: the block's four tiles lie one below the other, not side by side: it keeps N's tile and loads four of M's. So
//   M is loaded ceil(width / 32) times and N ceil(width / 128) times, which the contract has the other way round: width
//   128, M 4 times instead of once. The values are right.
// want: Which of the two tiles does your inner loop load again and again? And which way do the contract's four tiles of a
//   block lie?
#include "coarsened_matmul.h"

#define TILE 32
#define FACTOR 4

__global__ void coarse_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float m_tile[TILE][TILE];
  __shared__ float n_tile[TILE][TILE];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int column = blockIdx.x * TILE + tx;
  const int first_row = blockIdx.y * (TILE * FACTOR) + ty;

  float sums[FACTOR] = {};

  for (int start = 0; start < width; start += TILE) {
    // this tile serves all four
    n_tile[ty][tx] = 0.0f;
    if (start + ty < width && column < width) n_tile[ty][tx] = N[(start + ty) * width + column];

#pragma unroll
    for (int f = 0; f < FACTOR; ++f) {
      const int row = first_row + f * TILE;
      m_tile[ty][tx] = 0.0f;
      if (row < width && start + tx < width) m_tile[ty][tx] = M[row * width + start + tx];
      __syncthreads();
#pragma unroll
      for (int k = 0; k < TILE; ++k) sums[f] += m_tile[ty][k] * n_tile[k][tx];
      __syncthreads();
    }
  }

#pragma unroll
  for (int f = 0; f < FACTOR; ++f) {
    const int row = first_row + f * TILE;
    if (row < width && column < width) P[row * width + column] = sums[f];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE - 1) / TILE;
  coarse_kernel<<<dim3(tiles, (tiles + FACTOR - 1) / FACTOR), dim3(TILE, TILE)>>>(M, N, P, width);
}
