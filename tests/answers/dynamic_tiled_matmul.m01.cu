// SPDX-License-Identifier: Apache-2.0
// mistake: the array is one of bytes, and N's tile begins tile * tile bytes behind M's instead of tile * tile *
//   sizeof(float): the tiles overlap (and with an odd tile N's is not aligned).
// want: Your pool counts in bytes. How many bytes does M's tile take, and at which byte does N's begin?
#include "dynamic_tiled_matmul.h"

__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  // one pool, cut up by hand
  extern __shared__ unsigned char pool[];
  const int elements = tile * tile;
  float* Mds = reinterpret_cast<float*>(pool);
  float* Nds = reinterpret_cast<float*>(pool + elements);

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
