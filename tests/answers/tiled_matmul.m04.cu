// SPDX-License-Identifier: Apache-2.0
// mistake: a one-dimensional grid, and the tile's column is block - tile_row * TILE instead of block - tile_row * tiles:
//   right with one tile or with 16 in a row, else negative columns from the second row of tiles on.
// want: Which tile does block 2 compute when P has 2 x 2 tiles? Work out tile_col: a row of tiles has `tiles` of them,
//   not TILE.
#include "tiled_matmul.h"

constexpr int TILE = 16;

// 1D everything: block number -> tile, thread number -> place in the tile
__global__ void mmKernel(const float* __restrict__ M, const float* __restrict__ N, float* __restrict__ P, int width,
                         int tiles) {
  __shared__ float sM[TILE * TILE];
  __shared__ float sN[TILE * TILE];

  int block = blockIdx.x;
  int tile_row = block / tiles;
  int tile_col = block - tile_row * TILE;  // the remainder, % is slow

  int t = threadIdx.x;
  int y = t / TILE;
  int x = t % TILE;

  int row = tile_row * TILE + y;
  int col = tile_col * TILE + x;

  float s = 0;
  for (int p = 0; p < tiles; p++) {
    int mc = p * TILE + x;
    int nr = p * TILE + y;
    sM[t] = (row < width && mc < width) ? M[row * width + mc] : 0;
    sN[t] = (nr < width && col < width) ? N[nr * width + col] : 0;
    __syncthreads();
    for (int i = 0; i < TILE; i++) s += sM[y * TILE + i] * sN[i * TILE + x];
    __syncthreads();
  }

  if (row < width && col < width) P[row * width + col] = s;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  int tiles = (width + TILE - 1) / TILE;
  mmKernel<<<tiles * tiles, TILE * TILE>>>(M, N, P, width, tiles);
}
