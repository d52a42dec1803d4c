// SPDX-License-Identifier: Apache-2.0
// mistake: loads are clamped and masked, and one mask, made from tx, serves both tiles. N's element depends on
//   ty there: in the last phase existing elements of N are zeroed in the columns tx >= width % 16, and P
//   lacks their products (width above 16 and not a multiple of 16).
// want: Your mask answers "does M have the column that I load?". Which question would N's load need, and which
//   of tx and ty does its row depend on?

#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P and of M
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N
  const int last = width - 1;

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    // Clamped, every load reads an element that exists. Then throw away what lies behind the end of the
    // inner products. (Rows and columns of P that do not exist are not stored, whatever their sum is.)
    const float m = M[min(row, last) * width + min(m_col, last)];
    const float n = N[min(n_row, last) * width + min(col, last)];
    const bool keep = m_col < width;
    Mds[ty][tx] = keep ? m : 0.0f;
    Nds[ty][tx] = keep ? n : 0.0f;
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    __syncthreads();
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
