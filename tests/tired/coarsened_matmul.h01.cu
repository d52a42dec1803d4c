// SPDX-License-Identifier: Apache-2.0
// mistake: the guard of the loads from N tests the first of the thread's four columns only; where width is no multiple
//   of 128 the other columns run into the next row, and past the end of N in the last one, and elements are loaded
//   more often than they should be.
// want: Which column of N does the load with c == 3 touch, and which column does its guard look at? Let width be 100
//   and n_row 99: at which index does tx 31 read?

#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define COARSE_FACTOR 4
#define SPAN (TILE_WIDTH * COARSE_FACTOR)

// All four tiles of N are in shared memory at once, so that two barriers a phase are enough.
__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][SPAN];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int first_col = blockIdx.x * SPAN + tx;

  float sum[COARSE_FACTOR] = {};

  for (int start = 0; start < width; start += TILE_WIDTH) {
    const int m_col = start + tx;
    const int n_row = start + ty;
    Mds[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;

    const bool inside = n_row < width && first_col < width;
#pragma unroll
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      Nds[ty][c * TILE_WIDTH + tx] = inside ? N[n_row * width + first_col + c * TILE_WIDTH] : 0.0f;
    }
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      const float m = Mds[ty][k];
#pragma unroll
      for (int c = 0; c < COARSE_FACTOR; ++c) {
        sum[c] += m * Nds[k][c * TILE_WIDTH + tx];
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int c = 0; c < COARSE_FACTOR; ++c) {
    const int col = first_col + c * TILE_WIDTH;
    if (row < width && col < width) P[row * width + col] = sum[c];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((width + SPAN - 1) / SPAN, (width + TILE_WIDTH - 1) / TILE_WIDTH);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
