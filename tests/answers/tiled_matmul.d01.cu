// SPDX-License-Identifier: Apache-2.0
// mistake: fetches the next phase's elements into registers ahead; this load asks only whether there is a next phase, not
//   whether m_col and n_row of that phase exist: from the second phase on, a cut-off last tile holds elements of the next
//   row of M, and what lies behind M and N.
// want: width 17, phase 1: there is such a phase. Which of its 16 columns of M are there?
#include "tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  // Phase 0 is fetched before the loop, each further one while the one before is computed.
  float m_next = row < width && tx < width ? M[row * width + tx] : 0.0f;
  float n_next = ty < width && col < width ? N[ty * width + col] : 0.0f;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    Mds[ty][tx] = m_next;
    Nds[ty][tx] = n_next;
    __syncthreads();

    if (phase + 1 < phases) {
      const int m_col = (phase + 1) * TILE_WIDTH + tx;
      const int n_row = (phase + 1) * TILE_WIDTH + ty;
      m_next = row < width ? M[row * width + m_col] : 0.0f;
      n_next = col < width ? N[n_row * width + col] : 0.0f;
    }

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
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, tiles);
  tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
