// SPDX-License-Identifier: Apache-2.0
// mistake: M's column is no longer checked, on the ground that N's tile is zero there. In M's last row the load goes
//   past the end: width = 17, row 16, phase 1, tx = 1 reads M[16 * 17 + 17], index 289, and the last is 288. Values are
//   right where that memory is readable and no NaN. The barriers are right: the one at the head of the loop does what
//   the one at its foot did.
// want: Row 16 of a matrix of width 17, phase 1, tx = 1: at which index of M does this thread read, and which is the
//   last one?
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

    // The block must be through with the tiles before they are filled again.
    __syncthreads();

    // Every place of M's tile gets a real number now. Behind a row's end comes the next row, and N's zeros
    // take it out of the sum.
    Mds[ty][tx] = row < width ? M[row * width + m_col] : 0.0f;

    if (n_row < width && col < width) {
      Nds[ty][tx] = N[n_row * width + col];
    } else {
      Nds[ty][tx] = 0.0f;
    }
    // Other threads brought most of what this one needs: wait until both tiles are there.
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
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
