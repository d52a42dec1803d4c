// SPDX-License-Identifier: Apache-2.0
// mistake: gives each thread four columns that are neighbours, so that in every step of the coarsening loop the lanes
//   of a warp are four floats apart: a load of N touches 16 sectors instead of 4 and uses a quarter of each, and the
//   stores do the same. At width 128 about 35000 sectors are loaded instead of 20480 at most. The values are right.
// want: In step c = 0, which columns of N do lanes 0, 1 and 2 load, and how many sectors do all 32 lanes touch? Which
//   of the block's columns could a thread own instead so that neighbours load neighbours?
#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define COARSE_FACTOR 4

__device__ float element(const float* A, int r, int c, int width) {
  return r < width && c < width ? A[r * width + c] : 0.0f;
}

__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  // my columns: first_col, first_col + 1, first_col + 2, first_col + 3
  const int first_col = (blockIdx.x * TILE_WIDTH + tx) * COARSE_FACTOR;

  float sum[COARSE_FACTOR];
  for (int c = 0; c < COARSE_FACTOR; ++c) sum[c] = 0.0f;

  for (int k0 = 0; k0 < width; k0 += TILE_WIDTH) {
    Mds[ty][tx] = element(M, row, k0 + tx, width);

    for (int c = 0; c < COARSE_FACTOR; ++c) {
      Nds[ty][tx] = element(N, k0 + ty, first_col + c, width);
      __syncthreads();

      float s = 0.0f;
      for (int k = 0; k < TILE_WIDTH; ++k) {
        s += Mds[ty][k] * Nds[k][tx];
      }
      sum[c] += s;
      __syncthreads();
    }
  }

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
