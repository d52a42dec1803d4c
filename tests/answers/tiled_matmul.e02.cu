// SPDX-License-Identifier: Apache-2.0
// mistake: a thread's second column is col + 16, its store is checked with col + 1 < width (as if the two were
//   neighbours). Where col + 16 does not exist the store lands in the next row of P, or past its end.
// want: Which two columns of P does one thread store? Look at the condition of each store: is it about
//   the column that this store writes? Take width 17 and tx = 1.

#include "tiled_matmul.h"

#define TILE_WIDTH 16

// Each thread computes two elements of P: a block's piece of P is 16 rows high and 32 columns wide.
__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][2 * TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * 2 * TILE_WIDTH + tx;

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum0 = 0.0f;
  float sum1 = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    Mds[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
    for (int h = 0; h < 2; ++h) {
      const int n_col = col + h * TILE_WIDTH;
      Nds[ty][tx + h * TILE_WIDTH] = n_row < width && n_col < width ? N[n_row * width + n_col] : 0.0f;
    }
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      const float m = Mds[ty][k];
      sum0 += m * Nds[k][tx];
      sum1 += m * Nds[k][tx + TILE_WIDTH];
    }
    __syncthreads();
  }

  if (row < width) {
    if (col < width) P[row * width + col] = sum0;
    if (col + 1 < width) P[row * width + col + TILE_WIDTH] = sum1;
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((width + 2 * TILE_WIDTH - 1) / (2 * TILE_WIDTH), (width + TILE_WIDTH - 1) / TILE_WIDTH);
  tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
