// SPDX-License-Identifier: Apache-2.0
// mistake: on the way in, column ^ row is taken once, with the thread's first row, for all four rows that the thread
//   carries; on the way out each row is taken as it is. Element [8][0] is stored at 8 * 32 + (0 ^ 0) = 256 and looked for
//   at 8 * 32 + (0 ^ 8) = 264, where [8][8] lies: wrong from row 8 of each tile on (9 x 1 shows it).
// want: Follow element [8][0]: which thread stores it, at which place, and at which place is it looked for?
#include "transpose_swizzled.h"

constexpr int TILE = 32;
constexpr int STEP = 8;

__global__ void transpose_xor(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE][TILE];

  const unsigned tx = threadIdx.x, ty = threadIdx.y;

  // In: X's rows. Column and row are mixed with xor, so that columns spread over the banks.
  {
    const int column = blockIdx.x * TILE + tx;
    const int row = blockIdx.y * TILE + ty;
    const float* from = X + row * columns + column;
    const unsigned mixed = tx ^ ty;
    for (int j = 0; j < TILE; j += STEP, from += STEP * columns) {
      if (column < columns && row + j < rows) tile[ty + j][mixed] = *from;
    }
  }
  __syncthreads();

  // Out: Y's rows.
  {
    const int column = blockIdx.y * TILE + tx;
    const int row = blockIdx.x * TILE + ty;
    float* to = Y + row * rows + column;
    for (int j = 0; j < TILE; j += STEP, to += STEP * rows) {
      if (column < rows && row + j < columns) *to = tile[tx][(ty + j) ^ tx];
    }
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_xor<<<grid, dim3(TILE, STEP)>>>(X, Y, rows, columns);
}
