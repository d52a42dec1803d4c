// SPDX-License-Identifier: Apache-2.0
// mistake: 1. believed the comment on N: its load still has no check of col, and reads behind the matrix.
//   2. the zero of M's else goes to Mds[tx][ty] instead of Mds[ty][tx], onto another thread's element.
// want: Take the last row of N and a col that is not below width: at which index does this thread read? That the
//   value is never stored does not make the load legal. (Then: which place of Mds is this thread's?)
#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P and of M
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    // fixed: the last phase kept what the phase before had left
    if (row < width && m_col < width) {
      Mds[ty][tx] = M[row * width + m_col];
    } else {
      Mds[tx][ty] = 0.0f;
    }
    // A thread whose column does not exist has no element of P: whatever it loads ends up in no sum that is
    // stored.
    if (n_row < width) {
      Nds[ty][tx] = N[n_row * width + col];
    } else {
      Nds[ty][tx] = 0.0f;
    }
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    // fixed: all warps, not just this one
    __syncthreads();
  }

  // The grid covers P with whole tiles, so that some threads have no element to store.
  if (row < width && col < width) {
    P[row * width + col] = sum;
  }
}

void repair_tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, tiles);
  repair_tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
