// SPDX-License-Identifier: Apache-2.0
// mistake: where M has no element, the zero goes to Mds[tx][ty], the mirrored place, and Mds[ty][tx] keeps what it
//   had. At width 17, phase 1, thread (tx 1, ty 0) writes 0 to Mds[1][0], where thread (tx 0, ty 1) stores M[1][16]: a
//   race, and the product with N[16][col] may be lost; Mds[0][1] is not written at all in this phase. Right where 16
//   divides width, and below 16, where the mirrored places are just the missing ones. The barrier at the loop's head
//   instead of its end is right, and N's load is right.
// want: The barriers and N's tile are repaired. In a phase at the right edge, which thread writes Mds[1][0], and is it
//   only one?
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

    // Fault 3: all of the block has to be finished with the old tiles, not only the warp.
    __syncthreads();

    // Fault 1: zero times garbage may be NaN, so M needs its own zeros.
    if (row < width && m_col < width) {
      Mds[ty][tx] = M[row * width + m_col];
    } else {
      Mds[tx][ty] = 0.0f;
    }
    // Fault 2: the column has to exist too.
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
