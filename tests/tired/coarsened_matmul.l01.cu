// SPDX-License-Identifier: Apache-2.0
// mistake: a thread's four columns are neighbours (4 tx + c) instead of 32 apart. The result is right, but lanes of a
//   warp load elements of N 16 bytes apart: 16 sectors instead of 4 for each request, at width 128 34,816 instead of
//   10,240 in all (20,480 are allowed).
// want: Which columns of N do the lanes of a warp load in one step of your inner loop, and how many sectors of 32 bytes
//   are these? Let neighbouring threads have neighbouring columns, and a thread those of four tiles.
#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define COARSE_FACTOR 4

__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  // four columns side by side belong to this thread
  const int first_col = (blockIdx.x * TILE_WIDTH + tx) * COARSE_FACTOR;
  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum[COARSE_FACTOR];
#pragma unroll
  for (int c = 0; c < COARSE_FACTOR; ++c) sum[c] = 0.0f;

  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    Mds[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;

#pragma unroll
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      const int col = first_col + c;
      Nds[ty][tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
      __syncthreads();

      for (int k = 0; k < TILE_WIDTH; ++k) {
        sum[c] += Mds[ty][k] * Nds[k][tx];
      }
      __syncthreads();
    }
  }

#pragma unroll
  for (int c = 0; c < COARSE_FACTOR; ++c) {
    if (row < width && first_col + c < width) {
      P[row * width + first_col + c] = sum[c];
    }
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int span = TILE_WIDTH * COARSE_FACTOR;
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((width + span - 1) / span, (width + TILE_WIDTH - 1) / TILE_WIDTH);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
