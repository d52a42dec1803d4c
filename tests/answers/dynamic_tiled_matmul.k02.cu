// SPDX-License-Identifier: Apache-2.0
// mistake: the rows of both tiles are padded by one float (against bank conflicts), so that they take tile * (tile + 1)
//   floats each, but the launch passes the bytes of unpadded tiles: the last rows of N's tile lie past the end. The
//   contract has no room for padding.
// want: How many floats do your two tiles take with their padding, and how many does the launch bring? What is the
//   largest index of N's tile with tile = 2?
#include "dynamic_tiled_matmul.h"

__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float tiles[];

  // rows are tile + 1 apart: no two rows begin in the same bank
  const int pitch = tile + 1;
  float* Mds = tiles;
  float* Nds = tiles + tile * pitch;

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty;
  const int col = blockIdx.x * tile + tx;
  const int phases = (width + tile - 1) / tile;

  const int place = ty * pitch + tx;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * tile + tx;
    const int n_row = phase * tile + ty;
    Mds[place] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
    Nds[place] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
    __syncthreads();

    for (int k = 0; k < tile; ++k) {
      sum += Mds[ty * pitch + k] * Nds[k * pitch + tx];
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

  const size_t bytes = 2 * tile * tile * sizeof(float);
  dynamic_tiled_matmul_kernel<<<grid, block, bytes>>>(M, N, P, width, tile);
}
