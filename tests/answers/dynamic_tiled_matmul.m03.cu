// SPDX-License-Identifier: Apache-2.0
// mistake: 1. the last phase's length is width % tile, which is 0 where tile divides width: the whole last phase is
//   left out then. 2. Threads without an element of P return at the start, though the block needs them to load the tiles
//   and at the barriers.
// want: How long is the last phase with width 4 and tile 2? width % tile says 0. (Then: with width 3 and tile 2, who
//   loads the second column of M's tile in the right-hand block? That thread has returned.)
#include "dynamic_tiled_matmul.h"

__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float tiles[];
  float* Ms = tiles;
  float* Ns = &tiles[tile * tile];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty;
  const int col = blockIdx.x * tile + tx;

  // nothing to do outside of P
  if (row >= width || col >= width) return;

  const int phases = (width + tile - 1) / tile;
  const int place = ty * tile + tx;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * tile + tx;
    const int n_row = phase * tile + ty;
    if (m_col < width) Ms[place] = M[row * width + m_col];
    if (n_row < width) Ns[place] = N[n_row * width + col];
    __syncthreads();

    // the last one may be shorter, so no zeros are needed
    const int length = phase == phases - 1 ? width % tile : tile;
    for (int k = 0; k < length; ++k) {
      sum += Ms[ty * tile + k] * Ns[k * tile + tx];
    }
    __syncthreads();
  }

  P[row * width + col] = sum;
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int tiles = (width + tile - 1) / tile;
  const dim3 block(tile, tile);
  const dim3 grid(tiles, tiles);

  const size_t bytes = sizeof(float) * tile * tile * 2;
  dynamic_tiled_matmul_kernel<<<grid, block, bytes>>>(M, N, P, width, tile);
}
