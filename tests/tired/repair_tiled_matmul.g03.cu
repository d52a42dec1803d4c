// SPDX-License-Identifier: Apache-2.0
// mistake: (1) the tiles are zeroed once before the phases, so that in a last, partial phase the places without an
//   element still hold the previous phase's values, which are added again. (2) the second barrier stands in the
//   branch of the threads that have an element of P: in edge blocks not all threads reach it.
// want: Width 17, second phase: what stands in column 5 of M's tile, and who wrote it when? After that, look at your
//   second barrier: does every thread of an edge block come past it?

#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;
  const bool mine = row < width && col < width;

  // Zeros first, then each phase loads what exists.
  Mds[ty][tx] = 0.0f;
  Nds[ty][tx] = 0.0f;

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    if (row < width && m_col < width) {
      Mds[ty][tx] = M[row * width + m_col];
    }
    if (n_row < width && col < width) {
      Nds[ty][tx] = N[n_row * width + col];
    }
    __syncthreads();

    if (mine) {
      for (int k = 0; k < TILE_WIDTH; ++k) {
        sum += Mds[ty][k] * Nds[k][tx];
      }
      // everybody who reads the tiles has to be done with them
      __syncthreads();
    }
  }

  if (mine) {
    P[row * width + col] = sum;
  }
}

void repair_tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, tiles);
  repair_tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
