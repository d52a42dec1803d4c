// SPDX-License-Identifier: Apache-2.0
// mistake: (1) the grid's sides are exchanged (x covers rows, y columns) while the kernel takes x for columns: a
//   matrix with different numbers of tiles is not covered. (2) a pitch of 34 is even: the 32 elements of a
//   column lie in 16 banks, two-way conflicts.
// want: rows = 32, columns = 96: which blocks are launched, and which tiles of X are there? After that: list the
//   banks of tile[0][0], tile[1][0], ... tile[16][0] for a pitch of 34.
#include "transpose_padded.h"

template <int TILE, int PAD>
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE][TILE + PAD];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  const int x_row = blockIdx.y * TILE + ty;
  const int x_column = blockIdx.x * TILE + tx;
  if (x_row < rows && x_column < columns) {
    tile[ty][tx] = X[x_row * columns + x_column];
  }
  __syncthreads();

  const int y_row = blockIdx.x * TILE + ty;
  const int y_column = blockIdx.y * TILE + tx;
  if (y_row < columns && y_column < rows) {
    Y[y_row * rows + y_column] = tile[tx][ty];
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  constexpr int kTile = 32;
  constexpr int kPad = 2;  // rows stay aligned to 8 bytes
  const dim3 block(kTile, kTile);
  const dim3 grid((rows + kTile - 1) / kTile, (columns + kTile - 1) / kTile);
  transpose_kernel<kTile, kPad><<<grid, block>>>(X, Y, rows, columns);
}
