// SPDX-License-Identifier: Apache-2.0
// mistake: threads without an element of P `continue` after the first barrier and so skip the second. They run
//   into the next phase and load new elements while the others still sum; barriers are no longer met by all
//   (width above 16 and not a multiple of 16).
// want: You replaced the third fault by a real barrier. Follow a thread whose row does not exist through one
//   turn of the loop: how many barriers does it meet, and how many does its neighbour meet?

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

    // fault 1: the tile has to be filled in any case
    if (row < width && m_col < width) {
      Mds[ty][tx] = M[row * width + m_col];
    } else {
      Mds[ty][tx] = 0.0f;
    }
    // fault 2: col has to be checked as well
    if (n_row < width && col < width) {
      Nds[ty][tx] = N[n_row * width + col];
    } else {
      Nds[ty][tx] = 0.0f;
    }
    __syncthreads();

    // A thread that has no element of P has nothing to sum, it only helps with loading.
    if (row >= width || col >= width) continue;

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    // fault 3: a warp is not the block
    __syncthreads();
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
