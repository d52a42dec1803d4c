// SPDX-License-Identifier: Apache-2.0
// exercise: dynamic_tiled_matmul
// verdict: not passed
// must not: pass
// Blocks of tile x tile threads with the right bytes of shared memory. Their first warp does all the work in registers,
// with shuffles; shared memory sees a dummy.

#include "dynamic_tiled_matmul.h"

__global__ void __launch_bounds__(1024) first_warp(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float tiles[];
  volatile float* dummy = tiles;
  const int threads = tile * tile, me = threadIdx.y * tile + threadIdx.x;
  if (me == 0) {
    dummy[0] = 0.0f;
    const float seen = dummy[0];
    (void)seen;
  }
  // Only the first warp works. A lane has a column of the tile, and hands its elements of M round.
  const int lanes = min(32, threads);
  if (me >= lanes) return;
  const unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
  const int row = blockIdx.y * tile, col = blockIdx.x * tile + me;
  float sum[32] = {};
  for (int first = 0; first < width; first += tile) {
    const int last = min(tile, width - first);
    float m[32];
#pragma unroll
    for (int r = 0; r < 32; ++r) {
      m[r] = r < tile && row + r < width && me < last ? M[(row + r) * width + first + me] : 0.0f;
    }
    for (int k = 0; k < last; ++k) {
      const float n = me < tile && col < width ? N[(first + k) * width + col] : 0.0f;
#pragma unroll
      for (int r = 0; r < 32; ++r) {
        if (r < tile) sum[r] += __shfl_sync(mask, m[r], k) * n;
      }
    }
  }
#pragma unroll
  for (int r = 0; r < 32; ++r) {
    if (r < tile && row + r < width && me < tile && col < width) P[(row + r) * width + col] = sum[r];
  }
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int tiles = (width + tile - 1) / tile;
  first_warp<<<dim3(tiles, tiles), dim3(tile, tile), 2 * tile * tile * sizeof(float)>>>(M, N, P, width, tile);
}
