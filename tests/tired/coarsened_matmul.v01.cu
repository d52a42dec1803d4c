// SPDX-License-Identifier: Apache-2.0
// mistake: a thread's four columns are neighbours (4 tx + c), and they are loaded one by one: in each load of N, and in each
//   store of P, the lanes of a warp are 16 bytes apart and touch 16 sectors for 32 elements instead of 4. At width 128
//   N takes 4 x 4 x 4 x 32 requests of 16 sectors = 32,768, and M 2048; 20,480 are allowed. Values and the number of
//   elements loaded are right.
// want: In one load of N, with c = 0, which columns do lanes 0, 1 and 2 fetch? How many sectors is that for the warp?
#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define COARSE_FACTOR 4
#define SPAN (TILE_WIDTH * COARSE_FACTOR)

__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][SPAN];  // all four tiles at once

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int first_col = blockIdx.x * SPAN + tx * COARSE_FACTOR;

  float sum[COARSE_FACTOR] = {};

  for (int k0 = 0; k0 < width; k0 += TILE_WIDTH) {
    Mds[ty][tx] = row < width && k0 + tx < width ? M[row * width + k0 + tx] : 0.0f;
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      const bool there = k0 + ty < width && first_col + c < width;
      Nds[ty][tx * COARSE_FACTOR + c] = there ? N[(k0 + ty) * width + first_col + c] : 0.0f;
    }
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      const float m = Mds[ty][k];
      for (int c = 0; c < COARSE_FACTOR; ++c) {
        sum[c] += m * Nds[k][tx * COARSE_FACTOR + c];
      }
    }
    __syncthreads();
  }

  for (int c = 0; c < COARSE_FACTOR; ++c) {
    if (row < width && first_col + c < width) {
      P[row * width + first_col + c] = sum[c];
    }
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((width + SPAN - 1) / SPAN, (width + TILE_WIDTH - 1) / TILE_WIDTH);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
