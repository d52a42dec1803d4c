// SPDX-License-Identifier: Apache-2.0
// mistake: each row of the tiles gets one float of padding, so the launch passes 8 * tile * (tile + 1) bytes. The
//   values are right, but the contract wants exactly 8 x tile x tile bytes.
// want: Your values are right. Work out for tile = 4 how many bytes your launch passes and how many the contract
//   names: where does the difference come from, and is it needed here?

#include "dynamic_tiled_matmul.h"

// One float more in each row keeps the columns in different banks.
__host__ __device__ inline int pitch_of(int tile) { return tile + 1; }

__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float tiles[];
  const int pitch = pitch_of(tile);
  float* Mds = tiles;
  float* Nds = tiles + tile * pitch;

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty;
  const int col = blockIdx.x * tile + tx;
  const int phases = (width + tile - 1) / tile;

  const int place = ty * pitch + tx;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * tile + tx;
    const int n_row = phase * tile + ty;
    Mds[place] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
    Nds[place] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
    __syncthreads();

    for (int k = 0; k < tile; ++k) {
      sum += Mds[ty * pitch + k] * Nds[k * pitch + tx];
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
  const size_t bytes = 2 * tile * pitch_of(tile) * sizeof(float);
  dynamic_tiled_matmul_kernel<<<grid, block, bytes>>>(M, N, P, width, tile);
}
