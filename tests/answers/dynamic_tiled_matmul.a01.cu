// SPDX-License-Identifier: Apache-2.0
// mistake: N's tile begins at tiles + tile * tile * sizeof(float): pointer arithmetic on a float* already counts in
//   floats, so that Nds lies four times as far out, behind the bytes of the launch.
// want: tiles + 1 is the address of tiles[1], not of its second byte. How many floats lie in front of N's tile?
#include "dynamic_tiled_matmul.h"

__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float tiles[];

  // N's tile comes right behind M's
  float* Mds = tiles;
  float* Nds = tiles + tile * tile * sizeof(float);

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty;  // of P and of M
  const int col = blockIdx.x * tile + tx;  // of P and of N
  const int phases = (width + tile - 1) / tile;

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

  const size_t bytes = 2 * tile * tile * sizeof(float);
  dynamic_tiled_matmul_kernel<<<grid, block, bytes>>>(M, N, P, width, tile);
}
