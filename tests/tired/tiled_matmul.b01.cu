// SPDX-License-Identifier: Apache-2.0
// mistake: instead of zeros the last phase is cut to width % TILE_WIDTH products; where the tile divides width
//   this is 0, and the whole last phase is left out.
// want: how many columns has the last phase at width 32? Print the upper bound of the k loop for each phase for
//   a width that is a multiple of the tile, and for one that is not.
#include "tiled_matmul.h"

#define TILE_WIDTH 16
#define THREADS (TILE_WIDTH * TILE_WIDTH)

// P = M x N, all width x width. 256 threads in a row; thread t stands at (t / 16, t % 16) of the tile.
__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tiles) {
  __shared__ float Mds[THREADS];
  __shared__ float Nds[THREADS];

  const int t = threadIdx.x;
  const int tx = t % TILE_WIDTH;
  const int ty = t / TILE_WIDTH;
  const int row = blockIdx.x / tiles * TILE_WIDTH + ty;
  const int col = blockIdx.x % tiles * TILE_WIDTH + tx;

  float sum = 0.0f;
  for (int phase = 0; phase < tiles; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    if (row < width && m_col < width) Mds[t] = M[row * width + m_col];
    if (n_row < width && col < width) Nds[t] = N[n_row * width + col];
    __syncthreads();

    // What nobody loaded is not multiplied either.
    const int count = phase == tiles - 1 ? width % TILE_WIDTH : TILE_WIDTH;
    if (row < width && col < width) {
      for (int k = 0; k < count; ++k) {
        sum += Mds[ty * TILE_WIDTH + k] * Nds[k * TILE_WIDTH + tx];
      }
    }
    __syncthreads();
  }

  if (row < width && col < width) {
    P[row * width + col] = sum;
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;
  tiled_matmul_kernel<<<tiles * tiles, THREADS>>>(M, N, P, width, tiles);
}
