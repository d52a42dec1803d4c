// SPDX-License-Identifier: Apache-2.0
// mistake: the second barrier stands inside the check for an element of P, together with the sum: in the blocks at the
//   right and lower edge only some threads reach it, and the rest go on to the next phase.
// want: In a block at the edge: which threads come to the second __syncthreads, and which do not? Whom does a barrier
//   wait for?
#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;
  const bool mine = row < width && col < width;  // has this thread an element of P?

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    Mds[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
    Nds[ty][tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
    __syncthreads();

    // only whoever stores has to add
    if (mine) {
      for (int k = 0; k < TILE_WIDTH; ++k) {
        sum += Mds[ty][k] * Nds[k][tx];
      }
      // was __syncwarp, but the block has more than one warp
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
