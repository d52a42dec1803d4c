// SPDX-License-Identifier: Apache-2.0
// mistake: M's tile is swizzled with tx ^ ty, which stays inside a row only where tile is a power of two. tile = 3:
//   thread (tx 2, ty 1) and thread (tx 2, ty 2) both write place 6, and thread (tx 1, ty 2) writes place 9, the
//   first of N's tile. Wrong sums and races for 3, 5, 6, 7, 9, ...; right for 1, 2, 4, 8, 16, 32.
// want: Write down the nine places of M's tile for tile = 3. Does each one occur once?
#include "dynamic_tiled_matmul.h"

__global__ void swizzled(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float smem[];
  float* m_part = smem;
  float* n_part = smem + tile * tile;

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty;
  const int col = blockIdx.x * tile + tx;

  // column c of row ty stands at c ^ ty: threads one below the other then get different banks, without padding
  const auto m_place = [ty, tile](int c) { return ty * tile + (c ^ ty); };

  float sum = 0.0f;
  for (int k0 = 0; k0 < width; k0 += tile) {
    m_part[m_place(tx)] = row < width && k0 + tx < width ? M[row * width + k0 + tx] : 0.0f;
    n_part[ty * tile + tx] = k0 + ty < width && col < width ? N[(k0 + ty) * width + col] : 0.0f;
    __syncthreads();

    const float* n = n_part + tx;
    for (int k = 0; k < tile; ++k, n += tile) sum += m_part[m_place(k)] * *n;
    __syncthreads();
  }

  if (row < width && col < width) P[row * width + col] = sum;
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int tiles = (width + tile - 1) / tile;
  swizzled<<<dim3(tiles, tiles), dim3(tile, tile), 2 * tile * tile * sizeof(float)>>>(M, N, P, width, tile);
}
