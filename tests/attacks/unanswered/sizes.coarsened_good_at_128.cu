// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_matmul
// verdict: not passed
// must not: pass
// Full sectors at width 128; elsewhere the threads of a warp have columns four apart, so that each fetches a sector.

#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define COARSE_FACTOR 4

__global__ void __launch_bounds__(1024) spread(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH], Nds[TILE_WIDTH][TILE_WIDTH];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty, begin = blockIdx.x * TILE_WIDTH * COARSE_FACTOR;
  const bool good = width == 128;
  float sum[COARSE_FACTOR] = {};
  for (int first = 0; first < width; first += TILE_WIDTH) {
    Mds[ty][tx] = row < width && first + tx < width ? M[row * width + first + tx] : 0.0f;
#pragma unroll
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      const int col = begin + (good ? c * TILE_WIDTH + tx : tx * COARSE_FACTOR + c);
      Nds[ty][tx] = first + ty < width && col < width ? N[(first + ty) * width + col] : 0.0f;
      __syncthreads();
      for (int k = 0; k < TILE_WIDTH; ++k) sum[c] += Mds[ty][k] * Nds[k][tx];
      __syncthreads();
    }
  }
#pragma unroll
  for (int c = 0; c < COARSE_FACTOR; ++c) {
    const int col = begin + (good ? c * TILE_WIDTH + tx : tx * COARSE_FACTOR + c);
    if (row < width && col < width) P[row * width + col] = sum[c];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int rows = (width + TILE_WIDTH - 1) / TILE_WIDTH, span = TILE_WIDTH * COARSE_FACTOR;
  spread<<<dim3((width + span - 1) / span, rows), dim3(TILE_WIDTH, TILE_WIDTH)>>>(M, N, P, width);
}
