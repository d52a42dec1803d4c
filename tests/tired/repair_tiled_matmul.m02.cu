// SPDX-License-Identifier: Apache-2.0
// mistake: both tiles are set to zero once, before the loop, instead of in each phase: in the last, partial phase there
//   are still elements of the phase before in both tiles, and their products are added a second time.
// want: What is in Mds[0][5] in phase 1 with width 17? The zero from before the loop was overwritten in phase 0: a place
//   where nothing exists needs its zero in each phase.
#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

// P = M x N, all width x width, row by row. Each block computes one tile of P, in phases: in each
// phase its threads together bring one tile of M and one of N into shared memory and add up the part
// of the inner products that those two tiles hold.
__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P and of M
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  // REPAIRED: shared memory is not initialised, so do it (then the else below is not needed either)
  Mds[ty][tx] = 0.0f;
  Nds[ty][tx] = 0.0f;
  __syncthreads();

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    // Load what exists.
    if (row < width && m_col < width) {
      Mds[ty][tx] = M[row * width + m_col];
    }
    // REPAIRED: col too, otherwise it reads the next row or behind N
    if (n_row < width && col < width) {
      Nds[ty][tx] = N[n_row * width + col];
    }
    // Other threads brought most of what this one needs: wait until both tiles are there.
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    // REPAIRED: was __syncwarp
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
