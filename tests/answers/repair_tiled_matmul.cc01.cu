// SPDX-License-Identifier: Apache-2.0
// mistake: the barriers changed places: before the loads all threads wait now (which is right, and replaces the wait
//   at the loop's end), but between the loads and the sums only the warp waits. A warp holds two rows of the
//   tile, and Nds[k][tx] is brought by all eight warps: a race for every width.
// want: thread ty = 0 reads Nds[5][tx]. Which warp brought that element, and what makes the one wait for the other?
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

    // Nobody may touch the tiles before everybody is through with the old ones.
    __syncthreads();

    // zero first, then what exists
    Mds[ty][tx] = 0.0f;
    if (row < width && m_col < width) {
      Mds[ty][tx] = M[row * width + m_col];
    }
    // past the right edge: take the last column, nobody stores that sum
    const int safe_col = min(col, width - 1);
    if (n_row < width) {
      Nds[ty][tx] = N[n_row * width + safe_col];
    } else {
      Nds[ty][tx] = 0.0f;
    }
    // Now the tiles are there.
    __syncwarp();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
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
