// SPDX-License-Identifier: Apache-2.0
// mistake: only N has a tile. M's elements are loaded from global memory by every thread, 4 bytes for each
//   product: with width 64 that alone is 4 x 64^3 = 1048576 bytes, where 2 x 64^3 = 524288 are allowed. The
//   values are right, and so are all checks.
// want: count, for one block, how many times its threads load the same element of M from global memory.
#include "tiled_matmul.h"

#define TW 32
#define ROWS 8  // rows of threads; each thread has TW / ROWS elements of P, ROWS rows apart

__global__ void matmul32(const float* __restrict__ M, const float* __restrict__ N, float* __restrict__ P,
                         int width) {
  __shared__ float tile[TW][TW];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int col = blockIdx.x * TW + tx;
  const int top = blockIdx.y * TW + ty;

  // A row that does not exist: walk the last one again, it isn't stored.
  const float* rows[TW / ROWS];
  float acc[TW / ROWS] = {};
  for (int r = 0; r < TW / ROWS; ++r) rows[r] = M + min(top + r * ROWS, width - 1) * width;

  for (int base = 0; base < width; base += TW) {
    for (int r = ty; r < TW; r += ROWS) {
      tile[r][tx] = base + r < width && col < width ? N[(base + r) * width + col] : 0.0f;
    }
    __syncthreads();

    // Stop where the matrix stops: nothing to pad in M.
    const int depth = min(TW, width - base);
    for (int k = 0; k < depth; ++k) {
      const float n = tile[k][tx];
      // all 32 threads of a warp want the same element: one broadcast
      for (int r = 0; r < TW / ROWS; ++r) acc[r] += rows[r][base + k] * n;
    }
    __syncthreads();
  }

  for (int r = 0; r < TW / ROWS; ++r) {
    const int row = top + r * ROWS;
    if (row < width && col < width) P[row * width + col] = acc[r];
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TW - 1) / TW;
  matmul32<<<dim3(tiles, tiles), dim3(TW, ROWS)>>>(M, N, P, width);
}
