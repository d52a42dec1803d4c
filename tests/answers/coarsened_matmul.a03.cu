// SPDX-License-Identifier: Apache-2.0
// mistake: 1. a thread's columns are first_col + c (neighbours) instead of first_col + c * TILE_WIDTH. 2. the store
//   checks only first_col, not the column that it writes.
// want: Thread tx = 0 has columns 0, 1, 2, 3 in your kernel, and thread tx = 1? How far to the right does the next
//   tile of P begin? (Then: which column must exist when sums[c] is stored?)
#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define COARSE_FACTOR 4

__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int first_col = blockIdx.x * TILE_WIDTH * COARSE_FACTOR + tx;
  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sums[COARSE_FACTOR] = {};

  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;
    Mds[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;

    for (int c = 0; c < COARSE_FACTOR; ++c) {
      const int col = first_col + c;
      Nds[ty][tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
      __syncthreads();

      for (int k = 0; k < TILE_WIDTH; ++k) {
        sums[c] += Mds[ty][k] * Nds[k][tx];
      }
      __syncthreads();
    }
  }

  if (row < width && first_col < width) {
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      P[row * width + first_col + c] = sums[c];
    }
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int span = TILE_WIDTH * COARSE_FACTOR;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((width + span - 1) / span, (width + TILE_WIDTH - 1) / TILE_WIDTH);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
