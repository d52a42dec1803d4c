// SPDX-License-Identifier: Apache-2.0
// mistake: two. 1. Has two buffers for N's tile and saves the barrier after the products, but M's tile has one buffer
//   only: a fast warp overwrites Mds for the next phase while a slow one still multiplies the last tile with it, a race
//   for all widths above 32. 2. The grid has width / 128 + 1 blocks from left to right: where width is a multiple of
//   128 that is one too many, which has nothing to store but loads all of M once more.
// want: Between the products of c = 3 and the next phase's store to Mds, which barrier does every warp pass? And: how
//   many blocks lie side by side at width 128 in your grid, and what does the last of them load?
#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define COARSE_FACTOR 4

__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[2][TILE_WIDTH][TILE_WIDTH];  // while one is read the other is filled

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int first_col = blockIdx.x * TILE_WIDTH * COARSE_FACTOR + tx;
  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sums[COARSE_FACTOR] = {0.0f, 0.0f, 0.0f, 0.0f};

  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    Mds[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;

#pragma unroll
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      const int col = first_col + c * TILE_WIDTH;
      const int buffer = c & 1;
      Nds[buffer][ty][tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
      __syncthreads();

      for (int k = 0; k < TILE_WIDTH; ++k) {
        sums[c] += Mds[ty][k] * Nds[buffer][k][tx];
      }
      // the next one goes to the other buffer, nobody has to wait
    }
  }

#pragma unroll
  for (int c = 0; c < COARSE_FACTOR; ++c) {
    const int col = first_col + c * TILE_WIDTH;
    if (row < width && col < width) {
      P[row * width + col] = sums[c];
    }
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int span = TILE_WIDTH * COARSE_FACTOR;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(width / span + 1, (width + TILE_WIDTH - 1) / TILE_WIDTH);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
