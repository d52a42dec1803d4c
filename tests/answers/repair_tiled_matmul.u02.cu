// SPDX-License-Identifier: Apache-2.0
// mistake: N's column is clamped to width instead of width - 1. In the last row of N, column width has the index
//   width * width, one past the end. Width 17: block (1, y), tx >= 1, phase 1, ty = 0 reads N[16 * 17 + 17] =
//   N[289] of 289 elements. The sums stored are right all the same. M's tile without zeros is all right: the inner
//   loop ends before the columns that do not exist, and rows that do not exist reach no sum that is stored.
// want: What index does the thread with column 17 load from the last row of N when width is 17, and which is the
//   last index that N has?
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

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    // The last tiles before this one must have been used by everybody.
    __syncthreads();

    if (row < width && m_col < width) {
      Mds[ty][tx] = M[row * width + m_col];
    }
    // A thread whose column does not exist has no element of P: it may load any, but from within N.
    if (n_row < width) {
      Nds[ty][tx] = N[n_row * width + min(col, width)];
    }
    // Other threads brought most of what this one needs: wait until both tiles are there.
    __syncthreads();

    // Use only the part of the tiles that exists, then nothing has to be filled up.
    const int left = min(TILE_WIDTH, width - phase * TILE_WIDTH);
    for (int k = 0; k < left; ++k) {
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
