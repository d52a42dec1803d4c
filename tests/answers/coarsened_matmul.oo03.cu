// SPDX-License-Identifier: Apache-2.0
// mistake: threads whose column does not exist break out of the loop before its barriers.
// want: The break sends threads past the barrier.
#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define COARSE_FACTOR 4

// P = M x N, all width x width, stored row by row.
__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  // This thread's column in the first tile; its other columns lie in the tiles further right.
  const int first_col = blockIdx.x * TILE_WIDTH * COARSE_FACTOR + tx;
  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  // TODO 1: a thread computes COARSE_FACTOR elements of P. How many sums does it need?
  float sum[COARSE_FACTOR] = {};

  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    // TODO 2: which of these two loads is the same for all tiles of P that the block computes?
    Mds[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;

    // TODO 3: the coarsening loop begins here, one round for each tile. Which column does a round work on?
    for (int c = 0; c < COARSE_FACTOR; ++c) {
    const int col = first_col + c * TILE_WIDTH;
    if (col >= width) break;
    Nds[ty][tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum[c] += Mds[ty][k] * Nds[k][tx];
    }
    // TODO 4: does the coarsening loop end before or after this barrier? Which tile may other threads still
    // be reading when the next round begins?
    __syncthreads();
    }
  }

  // TODO 5: store every element that this thread computed, if it exists in P.
  for (int c = 0; c < COARSE_FACTOR; ++c) {
    const int col = first_col + c * TILE_WIDTH;
    if (row < width && col < width) P[row * width + col] = sum[c];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  // A block covers COARSE_FACTOR tiles from left to right, and one from top to bottom.
  const int span = TILE_WIDTH * COARSE_FACTOR;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((width + span - 1) / span, (width + TILE_WIDTH - 1) / TILE_WIDTH);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
