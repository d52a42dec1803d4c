// SPDX-License-Identifier: Apache-2.0
// mistake: threads in a line; the column is taken with t & (tile - 1), which is t % tile for powers of two only.
//   With tile 12 some places of the tiles are written by several threads and others by none.
// want: Your tiles 1, 2, 4, 8, 16 and 32 are right. Write down tx for t = 0..11 when tile is 12: does every
//   column occur? What does the & assume about tile?

#include "dynamic_tiled_matmul.h"

// A block is a line of tile * tile threads, and the grid is a line of blocks.
__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile,
                                            int tiles_across) {
  extern __shared__ float shared[];
  const int area = tile * tile;
  float* const Mds = shared;
  float* const Nds = shared + area;

  const int t = threadIdx.x;
  const int tx = t & (tile - 1);  // cheaper than %
  const int ty = t / tile;

  const int row = blockIdx.x / tiles_across * tile + ty;
  const int col = blockIdx.x % tiles_across * tile + tx;

  float sum = 0.0f;
  for (int phase = 0; phase < tiles_across; ++phase) {
    const int m_col = phase * tile + tx;
    const int n_row = phase * tile + ty;

    float m = 0.0f, n = 0.0f;
    if (row < width && m_col < width) m = M[row * width + m_col];
    if (n_row < width && col < width) n = N[n_row * width + col];
    Mds[ty * tile + tx] = m;
    Nds[ty * tile + tx] = n;
    __syncthreads();

    for (int k = 0; k < tile; ++k) sum += Mds[ty * tile + k] * Nds[k * tile + tx];
    __syncthreads();
  }

  if (row < width && col < width) P[row * width + col] = sum;
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int across = (width + tile - 1) / tile;
  const int threads = tile * tile;
  dynamic_tiled_matmul_kernel<<<across * across, threads, 2 * threads * sizeof(float)>>>(M, N, P, width, tile,
                                                                                        across);
}
