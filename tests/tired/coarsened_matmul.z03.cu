// SPDX-License-Identifier: Apache-2.0
// mistake: Values are right, but a block's four tiles lie below each other, not side by side: the tile of N is loaded once for
//   four tiles of M. So N is loaded ceil(width / 128) times and M ceil(width / 32) times, the other way round. width 128:
//   M is loaded 4 times, once is allowed.
// want: Which of the two matrices does a block of yours load once for all four tiles? Which one may, after the header, be
//   loaded only ceil(width / 128) times?
#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define COARSE_FACTOR 4

__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x % TILE_WIDTH;
  const int ty = threadIdx.x / TILE_WIDTH;
  const int col = blockIdx.x * TILE_WIDTH + tx;
  const int first_row = blockIdx.y * TILE_WIDTH * COARSE_FACTOR + ty;

  float acc[COARSE_FACTOR];
  for (int c = 0; c < COARSE_FACTOR; c++) acc[c] = 0.0f;

  for (int base = 0; base < width; base += TILE_WIDTH) {
    // shared by all the tiles, loaded once
    const int n_row = base + ty;
    Nds[ty][tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;

    for (int c = 0; c < COARSE_FACTOR; c++) {
      const int row = first_row + c * TILE_WIDTH;
      const int m_col = base + tx;
      Mds[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
      __syncthreads();

      float s = acc[c];
      for (int k = 0; k < TILE_WIDTH; k++) s += Mds[ty][k] * Nds[k][tx];
      acc[c] = s;
      __syncthreads();
    }
  }

  for (int c = 0; c < COARSE_FACTOR; c++) {
    const int row = first_row + c * TILE_WIDTH;
    if (row < width && col < width) P[row * width + col] = acc[c];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;
  const dim3 grid(tiles, (tiles + COARSE_FACTOR - 1) / COARSE_FACTOR);
  coarsened_matmul_kernel<<<grid, TILE_WIDTH * TILE_WIDTH>>>(M, N, P, width);
}
