// SPDX-License-Identifier: Apache-2.0
// mistake: the inner loop takes four products at a time, also where 4 does not divide tile. With tile 5, at
//   k = 4 it also takes columns 5 to 7 of M's row (the next row's first elements; for the last row N's tile)
//   and rows 5 to 7 of N's tile, which lie past the end of the shared memory passed. Right with tile 4, 8, 12,
//   ..., 32.
// want: tile 5: which k does the last round of your inner loop use?
#include "dynamic_tiled_matmul.h"

__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ unsigned char raw[];
  float* Mds = reinterpret_cast<float*>(raw);
  float* Nds = reinterpret_cast<float*>(raw + sizeof(float) * tile * tile);  // counts in bytes here

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty;
  const int col = blockIdx.x * tile + tx;
  const int place = ty * tile + tx;

  float sum = 0.0f;
  for (int m_col = tx, n_row = ty; m_col - tx < width; m_col += tile, n_row += tile) {
    Mds[place] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
    Nds[place] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
    __syncthreads();

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
  const dim3 block(tile, tile);
  const dim3 grid(tiles, tiles);
  const size_t bytes = 2u * tile * tile * sizeof(float);
  dynamic_tiled_matmul_kernel<<<grid, block, bytes>>>(M, N, P, width, tile);
}
