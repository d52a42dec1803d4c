// SPDX-License-Identifier: Apache-2.0
// mistake: leaves the coarsening loop with `break` where its column does not exist, and so passes by the barriers in it.
//   Where width is no multiple of 32, the threads of one tile part: those that broke off load the next phase's Mds and
//   answer barriers that the others still wait at for this phase. (Width 33: column 32 is multiplied with the next tile of
//   M.) With multiples of 32 all threads of a block break off together.
// want: Width 33, tile 1: which threads reach __syncthreads() in your loop, and at which one are the others? All threads
//   of a block must come to each barrier; guard the load, not the barrier.
#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define COARSE_FACTOR 4

__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int first_col = blockIdx.x * TILE_WIDTH * COARSE_FACTOR + tx;
  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sums[COARSE_FACTOR] = {0.0f, 0.0f, 0.0f, 0.0f};

  for (int p = 0; p < phases; ++p) {
    const int m_col = p * TILE_WIDTH + tx;
    const int n_row = p * TILE_WIDTH + ty;

    // M's tile serves all four tiles of P
    float m = 0.0f;
    if (row < width && m_col < width) m = M[row * width + m_col];
    Mds[ty][tx] = m;

    for (int c = 0; c < COARSE_FACTOR; ++c) {
      const int col = first_col + c * TILE_WIDTH;
      if (col >= width) break;  // nothing of P is there any more

      float n = 0.0f;
      if (n_row < width) n = N[n_row * width + col];
      Nds[ty][tx] = n;
      __syncthreads();

      for (int k = 0; k < TILE_WIDTH; ++k) {
        sums[c] += Mds[ty][k] * Nds[k][tx];
      }
      __syncthreads();
    }
  }

  if (row >= width) return;
  for (int c = 0; c < COARSE_FACTOR; ++c) {
    const int col = first_col + c * TILE_WIDTH;
    if (col < width) P[row * width + col] = sums[c];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;
  const dim3 grid((tiles + COARSE_FACTOR - 1) / COARSE_FACTOR, tiles);
  coarsened_matmul_kernel<<<grid, dim3(TILE_WIDTH, TILE_WIDTH)>>>(M, N, P, width);
}
