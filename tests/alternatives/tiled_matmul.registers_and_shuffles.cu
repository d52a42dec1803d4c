// SPDX-License-Identifier: Apache-2.0
// differs: M's tile lies in registers of a warp and is handed round by __shfl_sync; only N's tile is in shared memory.
// A warp computes one row of 32 columns; 4 warps a block.

#include "tiled_matmul.h"

#define LANES 32
#define WARPS 4

__global__ void shuffled_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Nds[LANES][LANES];

  const int lane = threadIdx.x, warp = threadIdx.y;
  const int row = blockIdx.y * WARPS + warp;
  const int col = blockIdx.x * LANES + lane;

  float sum = 0.0f;
  for (int first = 0; first < width; first += LANES) {
    const float mine = row < width && first + lane < width ? M[row * width + first + lane] : 0.0f;
    for (int r = warp; r < LANES; r += WARPS) {
      Nds[r][lane] = first + r < width && col < width ? N[(first + r) * width + col] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < LANES; ++k) sum += __shfl_sync(0xffffffffu, mine, k) * Nds[k][lane];
    __syncthreads();
  }
  if (row < width && col < width) P[row * width + col] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 block(LANES, WARPS);
  const dim3 grid((width + LANES - 1) / LANES, (width + WARPS - 1) / WARPS);
  shuffled_kernel<<<grid, block, 0, cudaStreamLegacy>>>(M, N, P, width);
}
