// SPDX-License-Identifier: Apache-2.0
// mistake: 1. the barrier at the end of a phase is that of a tile of 32 threads (cooperative groups), so still one warp
//   only. 2. M's load now checks m_col alone and not row any more: the lowest blocks read behind M.
// want: Which threads does warp.sync() wait for, and which ones read the tiles? (Then: row 17 of a matrix of width 17: what
//   does your thread load from M?)
#include "repair_tiled_matmul.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

#define TILE_WIDTH 16

__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P and of M
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    // A row that does not exist is stored nowhere, only a wrong column would get into a sum.
    Mds[ty][tx] = m_col < width ? M[row * width + m_col] : 0.0f;
    Nds[ty][tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
    block.sync();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    warp.sync();
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
