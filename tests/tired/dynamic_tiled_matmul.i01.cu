// SPDX-License-Identifier: Apache-2.0
// mistake: gives each row of both tiles one more float, against bank conflicts, and passes 8 * tile * (tile + 1)
//   bytes. The contract wants exactly what both tiles need, 8 * tile * tile. The values are right for every input.
// want: The values are right. How many floats do two tiles of tile x tile elements have, and how many bytes do you
//   pass? What does the contract say about that number?
#include "dynamic_tiled_matmul.h"

__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float tiles[];

  const int pitch = tile + 1;  // no bank conflicts
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

    const float* m = Mds + ty * pitch;
    const float* n = Nds + tx;
    for (int k = 0; k < tile; ++k, n += pitch) {
      sum += m[k] * *n;
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

  const size_t one = tile * (tile + 1) * sizeof(float);
  dynamic_tiled_matmul_kernel<<<grid, block, 2 * one>>>(M, N, P, width, tile);
}
