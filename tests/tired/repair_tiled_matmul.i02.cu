// SPDX-License-Identifier: Apache-2.0
// mistake: two. Both loads ask whether the thread has an element of P (`mine`): a thread at the edge without one puts
//   zeros where M or N has an element that others need; wrong for widths more than 16 and no multiple of it. And
//   __threadfence_block() stands where a barrier has to be: it orders one thread's memory accesses and waits for
//   nobody, so that a fast warp overwrites tiles that others still read (widths above 16).
// want: Width 17, block (1, 0), first phase: who loads M[0][5], and does that thread have an element of P? Then: for
//   whom does a thread wait at a fence?
#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P and of M
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N
  const bool mine = row < width && col < width;  // do I have something to do at all?

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    float m = 0.0f, n = 0.0f;
    if (mine && m_col < width) m = M[row * width + m_col];
    if (mine && n_row < width) n = N[n_row * width + col];
    Mds[ty][tx] = m;
    Nds[ty][tx] = n;
    // Other threads brought most of what this one needs: wait until both tiles are there.
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    // a warp is not enough, this has to hold for the whole block
    __threadfence_block();
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
