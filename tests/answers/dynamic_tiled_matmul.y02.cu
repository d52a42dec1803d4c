// SPDX-License-Identifier: Apache-2.0
// mistake: The kernel promises with __launch_bounds__(256) that a block has at most 256 threads, but tile goes to 32,
//   which is 1024 threads. Case: tile 17, any width: 289 threads, the launch fails and P is not stored. Up to tile 16
//   all is right (the possible extra phase loads nothing and adds zeros; N's tile is turned on purpose).
// want: How many threads has a block for tile = 32, and does anything in the kernel's declaration speak about their number?
#include "dynamic_tiled_matmul.h"

__global__ void __launch_bounds__(256)
    dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ unsigned char raw[];
  float* Mds = reinterpret_cast<float*>(raw);
  float* Nds = reinterpret_cast<float*>(raw + tile * tile * sizeof(float));

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty;
  const int col = blockIdx.x * tile + tx;

  const int phases = width / tile + 1;
  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * tile + tx;
    const int n_row = phase * tile + ty;
    float m = 0.0f;
    float n = 0.0f;
    if (row < width && m_col < width) m = M[row * width + m_col];
    if (n_row < width && col < width) n = N[n_row * width + col];

    // N's tile is kept by columns: then both walks below go from one float to the next.
    Mds[ty * tile + tx] = m;
    Nds[tx * tile + ty] = n;
    __syncthreads();

    const float* a = &Mds[ty * tile];
    const float* b = &Nds[tx * tile];
    for (int k = 0; k < tile; ++k) {
      sum += *a++ * *b++;
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
  const size_t one = sizeof(float) * tile * tile;
  dynamic_tiled_matmul_kernel<<<grid, block, 2 * one>>>(M, N, P, width, tile);
}
