// SPDX-License-Identifier: Apache-2.0
// mistake: the swizzle uses only the three low bits of the row (threadIdx.y, 0 to 7, and tx & 7 when reading): rows 0, 8,
//   16 and 24 are not distinguished, a column lies in 8 banks only, and reads conflict 4 ways. The values are right.
// want: In which banks do the elements [0][0], [8][0], [16][0] and [24][0] lie? How many different numbers must a column's
//   32 rows give to the exclusive or?
#include "transpose_swizzled.h"

#define TILE 32
#define ROWS_AT_A_TIME 8

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE * TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;  // 0 to 7
  const int row0 = blockIdx.y * TILE;
  const int column0 = blockIdx.x * TILE;

  for (int k = ty; k < TILE; k += ROWS_AT_A_TIME) {
    if (row0 + k < rows && column0 + tx < columns) {
      tile[k * TILE + (tx ^ ty)] = X[(row0 + k) * columns + column0 + tx];
    }
  }
  __syncthreads();

  // The one who stored row tx had threadIdx.y = tx & 7.
  const int swizzle = tx & (ROWS_AT_A_TIME - 1);
  for (int k = ty; k < TILE; k += ROWS_AT_A_TIME) {
    if (column0 + k < columns && row0 + tx < rows) {
      Y[(column0 + k) * rows + row0 + tx] = tile[tx * TILE + (k ^ swizzle)];
    }
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, ROWS_AT_A_TIME);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
