// SPDX-License-Identifier: Apache-2.0
// mistake: 1. the launch passes the bytes of one tile only; two tiles lie in the array. 2. N's tile is read at
//   tx * tile + k (row tx, column k) instead of k * tile + tx (row k, column tx).
// want: How many tiles lie in the array whose size you pass? Nds ends where M's tile alone would. (Then: which
//   place is row k, column tx of N's tile?)
#include "dynamic_tiled_matmul.h"

__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float tiles[];

  const int elements = tile * tile;  // of one tile
  float* Mds = tiles;
  float* Nds = tiles + elements;

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

    for (int k = 0; k < tile; ++k) {
      sum += Mds[ty * tile + k] * Nds[tx * tile + k];
    }
    __syncthreads();
  }

  if (row < width && col < width) {
    P[row * width + col] = sum;
  }
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int tiles = (width + tile - 1) / tile;
  const dim3 block(tile, tile);
  const dim3 grid(tiles, tiles);

  const size_t bytes = sizeof(float) * tile * tile;
  dynamic_tiled_matmul_kernel<<<grid, block, bytes>>>(M, N, P, width, tile);
}
