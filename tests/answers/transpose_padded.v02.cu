// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the pitch is 34, so that the elements of a column lie in every other bank only: word 34 x tx + ty,
//   lanes tx and tx + 16 meet, 2-way, when the tile is written. And threads without an element of X return before the
//   second half, where another element is theirs: rows 32, columns 20: threads with tx 20 to 31 are gone, and the
//   columns 20 to 31 of Y are never stored.
// want: X has 32 rows and 20 columns. Which element of Y is thread tx = 25, ty = 3 to write, and is it still there?
#include "transpose_padded.h"

#define TILE 32
#define PITCH (TILE + 2)  // even, so that rows still begin at multiples of 8 bytes

template <typename T>
__global__ void transpose_kernel(const T* __restrict__ X, T* __restrict__ Y, int rows, int columns) {
  __shared__ T tile[TILE * PITCH];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int tile_row = blockIdx.y * TILE, tile_column = blockIdx.x * TILE;

  if (tile_row + ty >= rows || tile_column + tx >= columns) return;

  // turned when it goes in, so that it comes out by rows
  tile[tx * PITCH + ty] = X[(tile_row + ty) * columns + tile_column + tx];
  __syncthreads();

  const int r = tile_column + ty;
  const int c = tile_row + tx;
  if (r < columns && c < rows) {
    Y[r * rows + c] = tile[ty * PITCH + tx];
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  auto tiles = [](int n) { return (n + TILE - 1) / TILE; };
  transpose_kernel<float><<<dim3(tiles(columns), tiles(rows)), dim3(TILE, TILE)>>>(X, Y, rows, columns);
}
