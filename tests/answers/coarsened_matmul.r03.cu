// SPDX-License-Identifier: Apache-2.0
// mistake: a thread's four columns are neighbours, 4 * tx + c, so that in each load of N a warp takes every fourth element
//   of 128 and touches 16 sectors instead of 4. At width 128: N 4 blocks x 4 phases x 32 warps x 4 loads x 16 = 32768
//   sectors, M 2048, together 34816 where 20480 are allowed. Values, barriers and the number of loads are right.
// want: Look at one load of N, for one c. Which columns do lanes 0, 1 and 2 of a warp read, and how much of each sector
//   does the warp use?
#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define COARSE_FACTOR 4

__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  // my columns are col0, col0 + 1, col0 + 2, col0 + 3
  const int col0 = (blockIdx.x * TILE_WIDTH + tx) * COARSE_FACTOR;

  float s[COARSE_FACTOR];
#pragma unroll
  for (int c = 0; c < COARSE_FACTOR; c++) s[c] = 0.0f;

  for (int k0 = 0; k0 < width; k0 += TILE_WIDTH) {
    float m = 0.0f;
    if (row < width && k0 + tx < width) m = M[row * width + k0 + tx];
    Mds[ty][tx] = m;

#pragma unroll
    for (int c = 0; c < COARSE_FACTOR; c++) {
      float n = 0.0f;
      if (k0 + ty < width && col0 + c < width) n = N[(k0 + ty) * width + col0 + c];
      Nds[ty][tx] = n;
      __syncthreads();
#pragma unroll 8
      for (int k = 0; k < TILE_WIDTH; k++) s[c] += Mds[ty][k] * Nds[k][tx];
      __syncthreads();
    }
  }

  if (row < width) {
    float* out = P + row * width + col0;
#pragma unroll
    for (int c = 0; c < COARSE_FACTOR; c++) {
      if (col0 + c < width) out[c] = s[c];
    }
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int span = TILE_WIDTH * COARSE_FACTOR;
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((width + span - 1) / span, (width + TILE_WIDTH - 1) / TILE_WIDTH);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
