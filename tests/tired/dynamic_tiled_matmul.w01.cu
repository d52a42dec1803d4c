// SPDX-License-Identifier: Apache-2.0
// mistake: The rows of both tiles are padded to tile + 1 floats, and the launch passes 8 * tile * (tile + 1)
//   bytes: the contract wants exactly 8 * tile * tile (tile 16: 2176 and not 2048). The values are right for
//   every width and tile.
// want: How many bytes does your launch pass for tile = 16, and how many does the contract ask for? Which
//   floats of the array does nobody ever use?
#include "dynamic_tiled_matmul.h"

__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float tiles[];

  // a row is one float longer, then a column does not lie in a single bank
  const int pitch = tile + 1;
  float* const Mds = tiles;
  float* const Nds = tiles + tile * pitch;

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty;
  const int col = blockIdx.x * tile + tx;
  const int place = ty * pitch + tx;

  float sum = 0.0f;
  for (int base = 0; base < width; base += tile) {
    const int m_col = base + tx;
    const int n_row = base + ty;
    Mds[place] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
    Nds[place] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
    __syncthreads();

    for (int k = 0; k < tile; ++k) sum += Mds[ty * pitch + k] * Nds[k * pitch + tx];
    __syncthreads();
  }

  if (row < width && col < width) P[row * width + col] = sum;
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int tiles = (width + tile - 1) / tile;
  const dim3 block(tile, tile);
  const dim3 grid(tiles, tiles);
  const size_t bytes = 2 * sizeof(float) * tile * (tile + 1);
  dynamic_tiled_matmul_kernel<<<grid, block, bytes>>>(M, N, P, width, tile);
}
