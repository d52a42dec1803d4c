// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: a thread that has nothing to load in a phase (neither its column of M nor its row of
//   N exists) leaves the loop, before the barrier and before it has added up the last tiles. With width 17,
//   threads with tx >= 1 and ty >= 1 leave before the second phase, and P[1][1] lacks M[1][16] * N[16][1].
//   And M's load checks its column only: with width 17, in the lower blocks the threads with ty >= 1 read
//   M[17 * 17 ...], past the end.
// want: a thread has two jobs in each phase: loading and adding up. Which of them is over when it has nothing
//   to load any more?
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

  float sum = 0.0f;
  int m_col = tx;
  int n_row = ty;
  for (int phase = 0; phase < phases; ++phase) {
    if (m_col >= width && n_row >= width) break;  // past both edges: done

    if (m_col < width) {
      Mds[ty][tx] = M[row * width + m_col];
    } else {
      Mds[ty][tx] = 0.0f;
    }
    if (n_row < width && col < width) {
      Nds[ty][tx] = N[n_row * width + col];
    } else {
      Nds[ty][tx] = 0.0f;
    }
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    __syncthreads();

    m_col += TILE_WIDTH;
    n_row += TILE_WIDTH;
  }

  if (row < width && col < width) {
    P[row * width + col] = sum;
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = width / TILE_WIDTH + 1;
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, tiles);
  tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
