// SPDX-License-Identifier: Apache-2.0
// mistake: the inner loop takes four products at a time and has nothing for a tile that is no multiple of 4: with tile
//   = 3 it adds k = 3 as well, Mds[ty * 3 + 3] (the next row's first element, or Nds[0] in the last row) times Nds[9 +
//   tx], which lies past the launch's 72 bytes. tile = 1 reads Mds[1] to [3] of an array of two floats. Right where 4
//   divides tile. Everything else is right, one float* for each part that walks included.
// want: With tile = 3, which values does k take, and which places of the tiles are read then? How many floats has the
//   array?
#include "dynamic_tiled_matmul.h"

__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float tiles[];
  const int area = tile * tile;
  float* const Mds = tiles;
  float* const Nds = &tiles[area];

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

    // The compiler does not know tile and cannot unroll: do it by hand.
    const float* m = Mds + ty * tile;
    const float* n = Nds + tx;
    for (int k = 0; k < tile; k += 4) {
      sum += m[0] * n[0];
      sum += m[1] * n[tile];
      sum += m[2] * n[2 * tile];
      sum += m[3] * n[3 * tile];
      m += 4;
      n += 4 * tile;
    }
    __syncthreads();
  }

  if (row < width && col < width) {
    P[row * width + col] = sum;
  }
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int tiles = (width + tile - 1) / tile;
  const size_t bytes = sizeof(float) * tile * tile * 2;
  dynamic_tiled_matmul_kernel<<<dim3(tiles, tiles), dim3(tile, tile), bytes>>>(M, N, P, width, tile);
}
