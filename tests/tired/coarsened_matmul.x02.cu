// SPDX-License-Identifier: Apache-2.0
// mistake: N's tile has two buffers and is right with one barrier, M's has one: a fast warp loads the next phase's Mds
//   while slow ones still multiply the fourth tile with this phase's. A race at each width above 32. N's buffers are safe:
//   who writes Nds[0] again has passed the barrier after which nobody reads it.
// want: One barrier for each tile is enough for Nds, since it has two buffers. Follow Mds in the same way from the last
//   tile of one phase to the first of the next: what lies between its last read and its next write?
#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define COARSE_FACTOR 4

__device__ inline float fetch(const float* A, int row, int col, int width) {
  return row < width && col < width ? A[row * width + col] : 0.0f;
}

__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[2][TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int first_col = blockIdx.x * TILE_WIDTH * COARSE_FACTOR + tx;
  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sums[COARSE_FACTOR];
  for (int c = 0; c < COARSE_FACTOR; ++c) sums[c] = 0.0f;

  for (int phase = 0; phase < phases; ++phase) {
    Mds[ty][tx] = fetch(M, row, phase * TILE_WIDTH + tx, width);

#pragma unroll
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      // the other buffer may still be in use, this one is free
      float(*tile)[TILE_WIDTH] = Nds[c & 1];
      tile[ty][tx] = fetch(N, phase * TILE_WIDTH + ty, first_col + c * TILE_WIDTH, width);
      __syncthreads();

      float s = sums[c];
      for (int k = 0; k < TILE_WIDTH; ++k) s = fmaf(Mds[ty][k], tile[k][tx], s);
      sums[c] = s;
    }
  }

  if (row >= width) return;
  for (int c = 0; c < COARSE_FACTOR; ++c) {
    const int col = first_col + c * TILE_WIDTH;
    if (col >= width) break;
    P[row * width + col] = sums[c];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int span = TILE_WIDTH * COARSE_FACTOR;
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((width + span - 1) / span, (width + TILE_WIDTH - 1) / TILE_WIDTH);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
