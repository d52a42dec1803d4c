// SPDX-License-Identifier: Apache-2.0
// mistake: (1) the last phase adds width % tile products, which is 0 where tile divides width: then the last phase
//   is lost (all of them with width equal to tile). (2) sizeof(M) is the size of a pointer, 8: the launch passes
//   16 x tile x tile bytes, twice what the contract names.
// want: With width 32 and tile 16, how many products does your second phase add? Afterwards, for the bytes: what is
//   the type of M in the line where you take its size?

#include "dynamic_tiled_matmul.h"

__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float shared[];
  float* Mds = shared;
  float* Nds = &shared[tile * tile];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty;
  const int col = blockIdx.x * tile + tx;
  const int phases = (width + tile - 1) / tile;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * tile + tx;
    const int n_row = phase * tile + ty;
    Mds[ty * tile + tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
    Nds[ty * tile + tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
    __syncthreads();

    // The last tiles end with zeros, no need to add those.
    const bool last = phase == phases - 1;
    const int count = last ? width % tile : tile;
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

  const size_t bytes = tile * tile * (sizeof(M) + sizeof(N));
  dynamic_tiled_matmul_kernel<<<grid, block, bytes>>>(M, N, P, width, tile);
}
