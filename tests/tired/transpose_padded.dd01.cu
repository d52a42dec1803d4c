// SPDX-License-Identifier: Apache-2.0
// mistake: Tiles of 16 x 16 with a pitch of 17: a warp spans two rows of threads, and the padding makes them overlap. Storing, lane 0
//   has word 0 and lane 31 word 17 + 15 = 32, both in bank 0: 2-way. Loading, tile[0][0] is word 0 and tile[15][1] word
//   256, both in bank 0: 2-way. Values and sectors are right.
// want: Your block is 16 threads wide. Which two rows of the tile does one warp write together, and in which banks do its first
//   and its last lane end up?
#include "transpose_padded.h"

#define T 16

__global__ void transpose16(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[T][T + 1];  // + 1 turns columns into diagonals

  int c = blockIdx.x * T + threadIdx.x;
  int r = blockIdx.y * T + threadIdx.y;
  if (c < columns && r < rows) tile[threadIdx.y][threadIdx.x] = X[r * columns + c];

  __syncthreads();

  // same tile, seen from Y
  c = blockIdx.y * T + threadIdx.x;
  r = blockIdx.x * T + threadIdx.y;
  if (c < rows && r < columns) Y[r * rows + c] = tile[threadIdx.x][threadIdx.y];
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  dim3 block(T, T);
  dim3 grid((columns + T - 1) / T, (rows + T - 1) / T);
  transpose16<<<grid, block>>>(X, Y, rows, columns);
}
