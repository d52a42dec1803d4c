// SPDX-License-Identifier: Apache-2.0
// mistake: the block's four tiles of P lie below one another instead of side by side: it keeps N's tile and
//   fetches four of M, so that M is loaded ceil(width / 32) times and N ceil(width / 128) times.
// want: which matrix's tile do tiles of P that lie side by side share? Count how often your grid loads M, and how
//   often N, at width 256, and compare with the contract.
#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define COARSE_FACTOR 4

// P = M x N, all width x width, row by row.
__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int col = blockIdx.x * TILE_WIDTH + tx;
  const int first_row = blockIdx.y * TILE_WIDTH * COARSE_FACTOR + ty;
  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum[COARSE_FACTOR] = {};

  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    // The same for all four.
    Nds[ty][tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;

#pragma unroll
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      const int row = first_row + c * TILE_WIDTH;
      Mds[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
      __syncthreads();

      for (int k = 0; k < TILE_WIDTH; ++k) {
        sum[c] += Mds[ty][k] * Nds[k][tx];
      }
      __syncthreads();
    }
  }

#pragma unroll
  for (int c = 0; c < COARSE_FACTOR; ++c) {
    const int row = first_row + c * TILE_WIDTH;
    if (row < width && col < width) {
      P[row * width + col] = sum[c];
    }
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int span = TILE_WIDTH * COARSE_FACTOR;
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((width + TILE_WIDTH - 1) / TILE_WIDTH, (width + span - 1) / span);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
