// SPDX-License-Identifier: Apache-2.0
// mistake: N's column is checked with <= width: column width is let pass. With width 17, thread tx = 1 of the
//   right blocks has column 17 and in row 16 reads N[16 * 17 + 17] = N[289], just past the end. The two pairs
//   of tiles in turn with one barrier a phase are right, and so is M's part.
// want: which is the last column that N has? Take width 17 and the thread right behind it, in N's last row.
#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

// P = M x N, all width x width, row by row. Each block computes one tile of P, in phases: in each
// phase its threads together bring one tile of M and one of N into shared memory and add up the part
// of the inner products that those two tiles hold.
__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  // Two of each, used in turn.
  __shared__ float Mds[2][TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[2][TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P and of M
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int b = phase & 1;
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    if (row < width && m_col < width) {
      Mds[b][ty][tx] = M[row * width + m_col];
    } else {
      Mds[b][ty][tx] = 0.0f;
    }
    if (n_row < width && col <= width) {
      Nds[b][ty][tx] = N[n_row * width + col];
    } else {
      Nds[b][ty][tx] = 0.0f;
    }
    // Other threads brought most of what this one needs: wait until both tiles are there.
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[b][ty][k] * Nds[b][k][tx];
    }
    // The next tiles go into the other pair.
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
