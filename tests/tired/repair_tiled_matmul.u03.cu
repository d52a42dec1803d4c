// SPDX-License-Identifier: Apache-2.0
// mistake: the second __syncthreads stands inside the branch of those threads that have an element of P. In a block at
//   the edge the others do not come to it: they run on and overwrite the tiles, and their barrier pairs with
//   another one (undefined behaviour). Width 17: in block (1, 0) only tx = 0 takes the branch. In blocks that are
//   full, and so for multiples of 16, all is well. N's check by the linear index is all right: what a column past
//   the edge loads is inside N and reaches no sum that is stored.
// want: Which threads of block (1, 0) come to the second barrier when width is 17? And what do the others do?
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
  const bool mine = row < width && col < width;

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    // Load what exists.
    Mds[ty][tx] = 0.0f;
    if (row < width && m_col < width) {
      Mds[ty][tx] = M[row * width + m_col];
    }
    const int n = n_row * width + col;
    if (n < width * width) {
      Nds[ty][tx] = N[n];
    } else {
      Nds[ty][tx] = 0.0f;
    }
    // Other threads brought most of what this one needs: wait until both tiles are there.
    __syncthreads();

    // Only threads that have an element of P use the tiles.
    if (mine) {
      for (int k = 0; k < TILE_WIDTH; ++k) {
        sum += Mds[ty][k] * Nds[k][tx];
      }
      // All warps, not only this one: wait until the tiles are used up.
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
