// SPDX-License-Identifier: Apache-2.0
// mistake: The inner loop takes four products at a time and has nothing for the rest: where 4 does not divide
//   tile, the last round goes past the row of M's tile (into the next row) and past the last row of N's tile,
//   out of the shared memory of the launch. tile 6: k = 4 also reads M's places 6 and 7 and N's rows 6 and 7,
//   floats 72 to 83 of an array of 72. tile 1 as well. Multiples of 4 are right.
// want: For tile = 6, which k does the last round of the inner loop use? Which of them exist in the tile?
#include "dynamic_tiled_matmul.h"

__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float tiles[];
  float* Mds = tiles;
  float* Nds = &tiles[tile * tile];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * blockDim.y + ty;
  const int col = blockIdx.x * blockDim.x + tx;
  const int phases = (width + tile - 1) / tile;
  const int place = tx + ty * tile;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * tile + tx;
    const int n_row = phase * tile + ty;
    Mds[place] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
    Nds[place] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
    __syncthreads();

    // the compiler cannot unroll this, it does not know tile: so by hand
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
  const size_t bytes = 8 * block.x * block.y;
  dynamic_tiled_matmul_kernel<<<grid, block, bytes>>>(M, N, P, width, tile);
}
