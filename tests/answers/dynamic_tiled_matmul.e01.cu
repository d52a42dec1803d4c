// SPDX-License-Identifier: Apache-2.0
// mistake: for tile = 32 M's rows are 33 floats apart, so N's tile begins 32 floats later, but the launch passes
//   8 * tile * tile bytes as ever: the last row of N's tile lies past the end of the array.
// want: All tiles but one are right. For tile 32: at which float does N's tile end now, and how many floats did
//   the launch pass? (The contract gives you no bytes for padding.)

#include "dynamic_tiled_matmul.h"

__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float tiles[];

  // 32 rows of 32 floats would begin all in the same bank
  const int pitch = tile == 32 ? tile + 1 : tile;

  float* Mds = tiles;
  float* Nds = tiles + tile * pitch;

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty;
  const int col = blockIdx.x * tile + tx;
  const int phases = (width + tile - 1) / tile;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * tile + tx;
    const int n_row = phase * tile + ty;
    Mds[ty * pitch + tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
    Nds[ty * tile + tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
    __syncthreads();

    for (int k = 0; k < tile; ++k) {
      sum += Mds[ty * pitch + k] * Nds[k * tile + tx];
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
  const size_t bytes = 2 * sizeof(float) * tile * tile;
  dynamic_tiled_matmul_kernel<<<grid, block, bytes>>>(M, N, P, width, tile);
}
