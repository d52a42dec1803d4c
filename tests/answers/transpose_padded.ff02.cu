// SPDX-License-Identifier: Apache-2.0
// mistake: the stores are guarded by the coordinates in X that the thread loaded, not by those in Y that it
//   stores. In a tile at the edge that lets the wrong threads through: with rows = 1 and columns = 32 only ty = 0
//   stores, and it stores Y[0] to Y[31], of which 31 are other elements' places, from parts of the tile that were
//   never filled. The walk through the tiles, column by column in a 1D grid, is right.
// want: X has 1 row and 32 columns. Which element of Y does the thread with tx = 0 and ty = 5 store, and what does
//   your condition say about this thread?
#include "transpose_padded.h"

#define TILE 32

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns, int tiles_down) {
  __shared__ float tile[TILE][TILE + 1];

  // tiles are numbered down the columns
  const int tile_x = blockIdx.x / tiles_down;
  const int tile_y = blockIdx.x % tiles_down;
  const int tx = threadIdx.x % TILE;
  const int ty = threadIdx.x / TILE;

  const int row = tile_y * TILE + ty;
  const int column = tile_x * TILE + tx;
  const bool inside = row < rows && column < columns;

  if (inside) tile[ty][tx] = X[row * columns + column];
  __syncthreads();

  float* const corner = Y + tile_x * TILE * rows + tile_y * TILE;
  if (inside) corner[ty * rows + tx] = tile[tx][ty];
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const int across = (columns + TILE - 1) / TILE;
  const int down = (rows + TILE - 1) / TILE;
  transpose_kernel<<<across * down, TILE * TILE>>>(X, Y, rows, columns, down);
}
