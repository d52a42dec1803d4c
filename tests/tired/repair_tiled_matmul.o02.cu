// SPDX-License-Identifier: Apache-2.0
// mistake: `continue` lets the threads without an element of P skip the second barrier as well as the sum. At width
//   17, in block (1, 0), only the threads with tx = 0 reach it; the others go on to phase 1 and overwrite the tiles
//   that those still read, and wait at the first barrier while the others wait at the second. Right where 16 divides
//   width (nobody continues) and up to width 16 (one phase only, though the barrier is uneven there too). The three
//   faults of the starter are repaired rightly.
// want: Follow two threads of the last block column through the loop at width 17, one with an element of P and one
//   without. Do they meet at the same barriers, equally often?
#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;
  const bool has_element = row < width && col < width;

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    Mds[ty][tx] = 0.0f;
    Nds[ty][tx] = 0.0f;
    if (row < width && m_col < width) Mds[ty][tx] = M[row * width + m_col];
    if (n_row < width && col < width) Nds[ty][tx] = N[n_row * width + col];
    __syncthreads();

    // It helped to load; it has nothing to add up.
    if (!has_element) continue;

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    // was __syncwarp: a block is eight warps
    __syncthreads();
  }

  if (has_element) P[row * width + col] = sum;
}

void repair_tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, tiles);
  repair_tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
