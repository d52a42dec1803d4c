// SPDX-License-Identifier: Apache-2.0
// mistake: threads without a column of X return before the barrier, but in the second half they are the ones that
//   should write other elements: in the tiles at the right edge columns of Y stay unwritten, and a barrier is left
//   out by some threads of a warp.
// want: columns = 5, rows = 32: which threads are still there after your first if? Which elements of Y would the
//   others have written?

#include "transpose_padded.h"

#define TILE 32
#define ROWS 8  // of threads

// Y = X transposed, four elements for each thread.
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE][TILE + 1];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  const int x_column = blockIdx.x * TILE + tx;
  if (x_column >= columns) return;

  const int x_row = blockIdx.y * TILE + ty;
  for (int j = 0; j < TILE; j += ROWS) {
    if (x_row + j < rows) {
      tile[ty + j][tx] = X[(x_row + j) * columns + x_column];
    }
  }
  __syncthreads();

  const int y_row = blockIdx.x * TILE + ty;
  const int y_column = blockIdx.y * TILE + tx;
  for (int j = 0; j < TILE; j += ROWS) {
    if (y_row + j < columns && y_column < rows) {
      Y[(y_row + j) * rows + y_column] = tile[tx][ty + j];
    }
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, ROWS);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
