// SPDX-License-Identifier: Apache-2.0
// mistake: a thread's four columns are neighbours, so that in each step the lanes of a warp load N (and store P)
//   four floats apart: values are right, but each load of N touches 16 sectors where 4 would do.
// want: Look at one step c of the coarsening loop: which columns do threads tx = 0, 1, 2 load from N? Do neighbours
//   in the warp load neighbours?

#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define COARSE_FACTOR 4

__device__ float element(const float* A, int row, int col, int width) {
  return row < width && col < width ? A[row * width + col] : 0.0f;
}

// P = M x N. A thread computes COARSE_FACTOR elements side by side.
__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[COARSE_FACTOR][TILE_WIDTH][TILE_WIDTH];  // all four at once: fewer barriers

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int first_col = (blockIdx.x * TILE_WIDTH + tx) * COARSE_FACTOR;

  float sum[COARSE_FACTOR] = {};

  for (int k0 = 0; k0 < width; k0 += TILE_WIDTH) {
    Mds[ty][tx] = element(M, row, k0 + tx, width);
#pragma unroll
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      Nds[c][ty][tx] = element(N, k0 + ty, first_col + c, width);
    }
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      const float m = Mds[ty][k];
#pragma unroll
      for (int c = 0; c < COARSE_FACTOR; ++c) {
        sum[c] += m * Nds[c][k][tx];
      }
    }
    __syncthreads();
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
