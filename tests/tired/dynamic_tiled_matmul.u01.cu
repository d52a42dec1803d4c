// SPDX-License-Identifier: Apache-2.0
// mistake: the tiles' rows are padded by one element, and the launch passes 2 x tile x (tile + 1) x 4 bytes; the contract
//   wants exactly 8 x tile x tile. tile = 16: 2176 bytes and not 2048; tile = 1: 16 and not 8. The values are right.
// want: How many bytes does your launch pass for tile = 16, and what does the header demand? What are the others for?
#include "dynamic_tiled_matmul.h"

__host__ __device__ inline int pitch_of(int tile) { return tile + 1; }  // no bank conflicts

__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float tiles[];
  const int pitch = pitch_of(tile);
  float* Mds = tiles;
  float* Nds = &tiles[tile * pitch];

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

    const float* m = Mds + ty * pitch;
    const float* n = Nds + tx;
    for (int k = 0; k < tile; ++k, n += pitch) sum += m[k] * *n;
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
