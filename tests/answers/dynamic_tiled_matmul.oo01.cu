// SPDX-License-Identifier: Apache-2.0
// mistake: N's tile begins at tiles + tile, one row into M's tile.
// want: Your second tile begins at float 16, but the first has 16 x 16 = 256: where does it end?
#include "dynamic_tiled_matmul.h"

// P = M x N, all width x width. A block of tile x tile threads computes one tile of P, in phases.
__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  // One array for both tiles; the launch says how large it is.
  extern __shared__ float tiles[];

  // TODO 1: M's tile is the first part of the array. Where does N's tile begin? (Adding
  // to a float* counts in floats, not in bytes.)
  float* Mds = tiles;
  float* Nds = tiles + tile;

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty;  // of P and of M
  const int col = blockIdx.x * tile + tx;  // of P and of N
  const int phases = (width + tile - 1) / tile;

  // TODO 2: each tile is stored row by row in its part of the array. At which index of that part is its
  // element in row ty, column tx?
  const int place = ty * tile + tx;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * tile + tx;
    const int n_row = phase * tile + ty;
    Mds[place] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
    Nds[place] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
    __syncthreads();

    for (int k = 0; k < tile; ++k) {
      sum += Mds[ty * tile + k] * Nds[k * tile + tx];
      // TODO 3: sum += (row ty, column k of M's tile) * (row k, column tx of N's tile)
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

  // TODO 4: how many bytes do both tiles need together?
  const size_t bytes = 2 * tile * tile * sizeof(float);
  dynamic_tiled_matmul_kernel<<<grid, block, bytes>>>(M, N, P, width, tile);
}
