// SPDX-License-Identifier: Apache-2.0
// mistake: the column of N is clamped to width, which is one too many; the last column is width - 1. Threads right
//   of the matrix read N[n_row * width + width], the next row's first element, and in the last row one element
//   behind N: width 17, n_row 16: index 289. The values come out right. (Two buffers with one barrier a
//   phase are free of races.)
// want: Which index does a thread with n_row = 16 and col = 20 read at width 17, and how many elements has N?
#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  // two of each: while some warps still read one pair, others may already fill the other
  __shared__ float Mds[2][TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[2][TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P and of M
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N
  const int n_col = min(col, width);             // what is right of N is not needed, but has to be readable

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;
    float(*Mt)[TILE_WIDTH] = Mds[phase % 2];
    float(*Nt)[TILE_WIDTH] = Nds[phase % 2];

    Mt[ty][tx] = 0.0f;
    if (row < width && m_col < width) {
      Mt[ty][tx] = M[row * width + m_col];
    }
    if (n_row < width) {
      Nt[ty][tx] = N[n_row * width + n_col];
    } else {
      Nt[ty][tx] = 0.0f;
    }
    // Other threads brought most of what this one needs: wait until both tiles are there.
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mt[ty][k] * Nt[k][tx];
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
