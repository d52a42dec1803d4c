// SPDX-License-Identifier: Apache-2.0
// mistake: each row of the tiles has one element more, against bank conflicts; the values are right, but the launch passes
//   8 * tile * (tile + 1) bytes, where the header wants exactly 8 * tile * tile.
// want: How many bytes do two tiles of tile x tile floats have, and how many does your launch pass?
#include "dynamic_tiled_matmul.h"

struct Tile {
  float* data;
  int pitch;
  __device__ float& operator()(int r, int c) const { return data[r * pitch + c]; }
};

__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float tiles[];

  const int pitch = tile + 1;  // padded
  const Tile Mds{tiles, pitch};
  const Tile Nds{tiles + tile * pitch, pitch};

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty;
  const int col = blockIdx.x * tile + tx;
  const int phases = (width + tile - 1) / tile;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * tile + tx;
    const int n_row = phase * tile + ty;
    Mds(ty, tx) = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
    Nds(ty, tx) = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
    __syncthreads();

    for (int k = 0; k < tile; ++k) {
      sum += Mds(ty, k) * Nds(k, tx);
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
  const size_t bytes = 2 * tile * (tile + 1) * sizeof(float);
  dynamic_tiled_matmul_kernel<<<grid, block, bytes>>>(M, N, P, width, tile);
}
