// SPDX-License-Identifier: Apache-2.0
// mistake: a thread whose column does not exist breaks out of the coarsening loop, in which there are barriers;
//   where the edge of P runs through a tile (width no multiple of 32) some lanes of each warp skip barriers that the
//   others wait at, and go on to overwrite Mds.
// want: With width 40, tile 1: which threads of a warp reach the two barriers, and which have left the loop? Which
//   work of the others does an absent thread fail to do?

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
      if (col >= width) break;  // nothing to the right of here

      Nds[ty][tx] = n_row < width ? N[n_row * width + col] : 0.0f;
      __syncthreads();

      for (int k = 0; k < TILE_WIDTH; ++k) {
        sums[c] += Mds[ty][k] * Nds[k][tx];
      }
      __syncthreads();
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
  const dim3 grid((width + span - 1) / span, (width + TILE_WIDTH - 1) / TILE_WIDTH);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
