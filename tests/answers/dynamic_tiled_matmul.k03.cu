// SPDX-License-Identifier: Apache-2.0
// mistake: two: the last phase adds up width % tile products, which is 0 where tile divides width: then the last tile is
//   missing from every sum. And the bytes are counted with sizeof(M), the size of a pointer, so that the launch passes
//   twice what both tiles need.
// want: How many products has the last phase where tile divides width, and what is width % tile then? (And: of what is
//   sizeof(M) the size?)
#include "dynamic_tiled_matmul.h"

__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float tiles[];
  float* Mds = tiles;
  float* Nds = &tiles[tile * tile];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty;
  const int col = blockIdx.x * tile + tx;
  const int phases = (width + tile - 1) / tile;
  const int rest = width % tile;
  const int place = ty * tile + tx;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * tile + tx;
    const int n_row = phase * tile + ty;
    Mds[place] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
    Nds[place] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
    __syncthreads();

    // the last tile is not full, do not multiply its zeros
    const int count = phase == phases - 1 ? rest : tile;
    for (int k = 0; k < count; ++k) {
      sum += Mds[ty * tile + k] * Nds[k * tile + tx];
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

  // two tiles
  const size_t bytes = 2 * tile * tile * sizeof(M);
  dynamic_tiled_matmul_kernel<<<grid, block, bytes>>>(M, N, P, width, tile);
}
