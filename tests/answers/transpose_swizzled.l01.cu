// SPDX-License-Identifier: Apache-2.0
// mistake: a thread carries four elements, of the rows ty, ty + 8, ty + 16, ty + 24. When it stores into the tile, it
//   swizzles with ty instead of with ty + j, the element's row; the load swizzles with the whole row. Rows 8 to 31 of a
//   tile come out with their columns exchanged (column ^ 8, 16, 24).
// want: At which place does your first loop put element [8][0] of the tile, and where does the second loop look for it?
//   Both must use the same row.
#include "transpose_swizzled.h"

constexpr int kSide = 32;
constexpr int kThreadRows = 8;

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[kSide * kSide];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  // In: X row by row. An element's column is XORed with its row.
  const int c = blockIdx.x * kSide + tx;
  const int swizzled = tx ^ ty;
  for (int j = 0; j < kSide; j += kThreadRows) {
    const int r = blockIdx.y * kSide + ty + j;
    if (r < rows && c < columns) {
      tile[(ty + j) * kSide + swizzled] = X[r * columns + c];
    }
  }
  __syncthreads();

  // Out: Y row by row, so tx is the tile's row now.
  const int y_column = blockIdx.y * kSide + tx;
  for (int j = 0; j < kSide; j += kThreadRows) {
    const int y_row = blockIdx.x * kSide + ty + j;
    if (y_row < columns && y_column < rows) {
      Y[y_row * rows + y_column] = tile[tx * kSide + ((ty + j) ^ tx)];
    }
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 block(kSide, kThreadRows);
  const dim3 grid((columns + kSide - 1) / kSide, (rows + kSide - 1) / kSide);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
