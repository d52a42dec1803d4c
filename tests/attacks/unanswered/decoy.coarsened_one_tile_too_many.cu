// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_matmul
// verdict: not passed
// must not: pass
// The loop over a block's tiles goes up to and with COARSE_FACTOR: a fifth tile of N is loaded, and its products are
// thrown away.

#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define COARSE_FACTOR 4

__global__ void __launch_bounds__(1024) one_too_many(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH], Nds[TILE_WIDTH][TILE_WIDTH];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty, first_col = blockIdx.x * TILE_WIDTH * COARSE_FACTOR + tx;
  float sum[COARSE_FACTOR + 1] = {};
  for (int first = 0; first < width; first += TILE_WIDTH) {
    Mds[ty][tx] = row < width && first + tx < width ? M[row * width + first + tx] : 0.0f;
#pragma unroll
    for (int c = 0; c <= COARSE_FACTOR; ++c) {
      const int col = first_col + c * TILE_WIDTH;
      Nds[ty][tx] = first + ty < width && col < width ? N[(first + ty) * width + col] : 0.0f;
      __syncthreads();
      for (int k = 0; k < TILE_WIDTH; ++k) sum[c] += Mds[ty][k] * Nds[k][tx];
      __syncthreads();
    }
  }
#pragma unroll
  for (int c = 0; c < COARSE_FACTOR; ++c) {
    const int col = first_col + c * TILE_WIDTH;
    if (row < width && col < width) P[row * width + col] = sum[c];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int rows = (width + TILE_WIDTH - 1) / TILE_WIDTH, span = TILE_WIDTH * COARSE_FACTOR;
  one_too_many<<<dim3((width + span - 1) / span, rows), dim3(TILE_WIDTH, TILE_WIDTH)>>>(M, N, P, width);
}
