// SPDX-License-Identifier: Apache-2.0
// mistake: a pitch of 33 that wraps around at the end of the tile: (row * 33 + column) % 1024. The last rows fall onto
//   places of the first ones, so that two elements share a place.
// want: Where does your function put [31][1], and where [0][0]? Two elements never share a place: the column may move
//   within its row only.
#include "transpose_swizzled.h"

#define TILE 32

// Where element [row][column] of the tile lies, 0 to TILE * TILE - 1. Two elements never share a place.
__device__ int place(int row, int column) {
  // like padding by one, but it stays inside the 1024 places
  return (row * (TILE + 1) + column) % (TILE * TILE);
}

// Y = X transposed. Each block carries one tile of X through shared memory; both sides see rows.
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE * TILE];

  const int tx = threadIdx.x;  // neighbouring threads of a warp differ in tx
  const int ty = threadIdx.y;

  const int x_row = blockIdx.y * TILE + ty;
  const int x_column = blockIdx.x * TILE + tx;
  if (x_row < rows && x_column < columns) {
    tile[place(ty, tx)] = X[x_row * columns + x_column];
  }
  __syncthreads();

  const int y_row = blockIdx.x * TILE + ty;
  const int y_column = blockIdx.y * TILE + tx;
  if (y_row < columns && y_column < rows) {
    Y[y_row * rows + y_column] = tile[place(tx, ty)];
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, TILE);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
