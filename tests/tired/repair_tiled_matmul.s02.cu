// SPDX-License-Identifier: Apache-2.0
// mistake: The second __syncthreads() stands inside the check for an element of P, so that threads without one never
//   reach it. With width = 17, in block (0, 1) only thread row 0 gets there; the others go on to the next phase, store
//   into the tiles, and meet those at a different barrier. M's tile cleared once is right (what is stale meets zeros of
//   N's tile), and so is the clamped column of N.
// want: Width 17, block (0, 1): which threads reach the barrier inside the if, and where are the others meanwhile?
#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P and of M
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N
  const int safe_col = col < width ? col : width - 1;

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  // Shared memory begins with anything, even NaN: zero times that is not zero.
  Mds[ty][tx] = 0.0f;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    if (row < width && m_col < width) {
      Mds[ty][tx] = M[row * width + m_col];
    }
    // A thread without a column takes the last one; its sum is not stored.
    if (n_row < width) {
      Nds[ty][tx] = N[n_row * width + safe_col];
    } else {
      Nds[ty][tx] = 0.0f;
    }
    __syncthreads();

    // Only who has an element of P needs to compute.
    if (row < width && col < width) {
      for (int k = 0; k < TILE_WIDTH; ++k) {
        sum += Mds[ty][k] * Nds[k][tx];
      }
      // All warps have to be through before the next tiles come.
      __syncthreads();
    }
  }

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
