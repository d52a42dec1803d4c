// SPDX-License-Identifier: Apache-2.0
// mistake: always passes the bytes of two 32 x 32 tiles, whatever tile is ("large enough for every tile"); the
//   launch should pass exactly what both tiles of this width need.
// want: What do two tiles of 4 x 4 floats need, and how much does this launch take for them? Shared memory that
//   nobody uses is missing for other blocks.
#include "dynamic_tiled_matmul.h"

#define MAX_TILE 32

__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float tiles[];
  float* Mds = tiles;
  float* Nds = &tiles[tile * tile];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty;
  const int col = blockIdx.x * tile + tx;
  const int phases = (width + tile - 1) / tile;
  const int place = ty * tile + tx;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * tile + tx;
    const int n_row = phase * tile + ty;
    Mds[place] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
    Nds[place] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
    __syncthreads();

    const float* m = Mds + ty * tile;
    const float* n = Nds + tx;
    for (int k = 0; k < tile; ++k) {
      sum += m[k] * n[k * tile];
    }
    __syncthreads();
  }

  if (row < width && col < width) P[row * width + col] = sum;
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int tiles = (width + tile - 1) / tile;
  const dim3 block(tile, tile);
  const dim3 grid(tiles, tiles);

  // tile is at most 32, two tiles
  const size_t bytes = 2 * MAX_TILE * MAX_TILE * sizeof(float);
  dynamic_tiled_matmul_kernel<<<grid, block, bytes>>>(M, N, P, width, tile);
}
