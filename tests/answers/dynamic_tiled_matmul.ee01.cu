// SPDX-License-Identifier: Apache-2.0
// mistake: M's rows lie tile + 1 floats apart, but N's part begins after tile * tile: M's last row and N's
//   first overlap. With tile 2 (and width 2), M's element (1, 1) is at place 1 * 3 + 1 = 4, which is N's
//   (0, 0): two threads store into it, and whoever is later wins. Right only with tile 1.
// want: tile 2: write down the place of each of M's four elements, and the place where N's part begins.
#include "dynamic_tiled_matmul.h"

__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float tiles[];

  float* Mds = tiles;
  float* Nds = tiles + tile * tile;

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty;  // of P and of M
  const int col = blockIdx.x * tile + tx;  // of P and of N
  const int phases = (width + tile - 1) / tile;

  // M's rows are read by several rows of threads at once: shift each by a bank. N is read along its rows.
  const int pitch = tile + 1;

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
  const size_t bytes = 2 * tile * tile * sizeof(float);
  dynamic_tiled_matmul_kernel<<<grid, block, bytes>>>(M, N, P, width, tile);
}
