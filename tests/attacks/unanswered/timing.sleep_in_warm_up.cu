// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_matmul
// verdict: not passed
// must not: hang longer than 60 s; grader_fault
// Sleeps 4 s in each of the first calls so that budgets of time run out; starter's result.

#include <thread>
#include <chrono>
#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define COARSE_FACTOR 4

// P = M x N, all width x width, row by row.
__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  // The first of this thread's columns; the others belong to the tiles to the right of it.
  const int first_col = blockIdx.x * TILE_WIDTH * COARSE_FACTOR + tx;
  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  // TODO 1: a thread computes COARSE_FACTOR elements of P. How many sums does it need?
  float sum = 0.0f;

  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    // TODO 2: which of these two loads is the same for all tiles of P that the block computes?
    Mds[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;

    // TODO 3: from here on, once for each of the tiles: the coarsening loop. Which column is it in each?
    const int col = first_col;
    Nds[ty][tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    // TODO 4: who still reads which tile when the next one is loaded?
    __syncthreads();
  }

  // TODO 5: store every element that this thread computed and that exists.
  if (row < width && first_col < width) {
    P[row * width + first_col] = sum;
  }
}

static void solve(const float* M, const float* N, float* P, int width) {
  // A block spans COARSE_FACTOR tiles from left to right, and one from top to bottom.
  const int span = TILE_WIDTH * COARSE_FACTOR;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((width + span - 1) / span, (width + TILE_WIDTH - 1) / TILE_WIDTH);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}


void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  static int calls = 0;
  if (calls++ < 20) std::this_thread::sleep_for(std::chrono::seconds(4));
  solve(M, N, P, width);

}
