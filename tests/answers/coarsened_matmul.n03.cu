// SPDX-License-Identifier: Apache-2.0
// mistake: a thread whose column lies outside leaves the coarsening loop with break, past barriers that the other threads
//   of its block still wait at (where width is no multiple of 32).
// want: At width 40 and the second tile, which threads of a warp break, and which arrive at __syncthreads? Every thread of
//   the block must arrive at each barrier; what may a thread without a column do in the meantime?
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

  float sum[COARSE_FACTOR] = {};

  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    // same for all four
    Mds[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;

    for (int t = 0; t < COARSE_FACTOR; ++t) {
      const int col = first_col + t * TILE_WIDTH;
      if (col >= width) break;  // nothing to do here and further right
      Nds[ty][tx] = n_row < width ? N[n_row * width + col] : 0.0f;
      __syncthreads();

      for (int k = 0; k < TILE_WIDTH; ++k) {
        sum[t] += Mds[ty][k] * Nds[k][tx];
      }
      __syncthreads();
    }
  }

  if (row >= width) return;
  for (int t = 0; t < COARSE_FACTOR; ++t) {
    const int col = first_col + t * TILE_WIDTH;
    if (col < width) {
      P[row * width + col] = sum[t];
    }
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int span = TILE_WIDTH * COARSE_FACTOR;
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((width + span - 1) / span, (width + TILE_WIDTH - 1) / TILE_WIDTH);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
