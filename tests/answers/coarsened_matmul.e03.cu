// SPDX-License-Identifier: Apache-2.0
// mistake: two. Loads outside are clamped to the last row or column instead of giving 0, so that the last product is
//   added again for each k that does not exist. And the stores ask only whether the first column exists: the others
//   run over into the next row, or behind P.
// want: width 33, second phase: which products does your k loop add for k = 1 to 31, and what should they be? Then:
//   where in memory is P[0][width]?

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
  const int block_col = blockIdx.x * TILE_WIDTH * COARSE_FACTOR;
  const int last = width - 1;

  float sums[COARSE_FACTOR];
  for (int c = 0; c < COARSE_FACTOR; ++c) sums[c] = 0.0f;

  for (int phase = 0; phase * TILE_WIDTH < width; ++phase) {
    // min() keeps every load inside, without branches
    const int m_col = min(phase * TILE_WIDTH + tx, last);
    const int n_row = min(phase * TILE_WIDTH + ty, last);
    Mds[ty][tx] = M[min(row, last) * width + m_col];

#pragma unroll
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      const int tile_col = block_col + c * TILE_WIDTH;
      if (tile_col < width) {  // the same for the whole block
        Nds[ty][tx] = N[n_row * width + min(tile_col + tx, last)];
        __syncthreads();
        for (int k = 0; k < TILE_WIDTH; ++k) {
          sums[c] += Mds[ty][k] * Nds[k][tx];
        }
        __syncthreads();
      }
    }
  }

  if (row < width && block_col + tx < width) {
#pragma unroll
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      P[row * width + block_col + c * TILE_WIDTH + tx] = sums[c];
    }
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int span = TILE_WIDTH * COARSE_FACTOR;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((width + span - 1) / span, (width + TILE_WIDTH - 1) / TILE_WIDTH);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
