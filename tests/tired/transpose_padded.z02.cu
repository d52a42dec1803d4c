// SPDX-License-Identifier: Apache-2.0
// mistake: Values are right, but the tile is 16 x 16 with one float of padding, and a warp is two rows of it. Storing row 0
//   and 1: lane 0 has bank 0, and lane 31 (place 17 + 15 = 32) has bank 0, too. Reading columns: tile[0][0] (0) and
//   tile[15][1] (256) are both in bank 0. So each request is a two-way conflict, at any size of at least 16 x 16.
// want: Which 32 elements of the tile does one warp touch at a time? Write down the banks of its first and of its last lane.
#include "transpose_padded.h"

#define T 16

// 16 x 16 tiles: more blocks, and less is left over at the edges.
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[T][T + 1];  // + 1: no conflicts

  int x = blockIdx.x * T + threadIdx.x;
  int y = blockIdx.y * T + threadIdx.y;

  if (y < rows && x < columns) tile[threadIdx.y][threadIdx.x] = X[y * columns + x];

  __syncthreads();

  // the tile goes to the mirrored place
  x = blockIdx.y * T + threadIdx.x;
  y = blockIdx.x * T + threadIdx.y;

  if (y < columns && x < rows) Y[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  dim3 threads(T, T);
  dim3 blocks((columns + T - 1) / T, (rows + T - 1) / T);
  transpose_kernel<<<blocks, threads>>>(X, Y, rows, columns);
}
