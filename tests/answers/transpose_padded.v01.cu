// SPDX-License-Identifier: Apache-2.0
// mistake: each thread writes two elements of a row of Y, 32 apart, and the second is written under the first one's guard.
//   rows 40, columns 32: lanes 8 to 31 write columns 40 to 63 of rows of 40, that is onto elements of the next row,
//   which other threads write, too, and behind the end of Y in the last. Right where rows is a multiple of 64.
// want: Let X have 40 rows. Which elements of Y does lane 20 write, and do both of them exist?
#include "transpose_padded.h"

#define W 32   // columns of X in a tile
#define H 64   // rows of X in a tile
#define STEP 8

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[H][W + 1];

  const int tx = threadIdx.x;
  const int row0 = blockIdx.y * H;
  const int col0 = blockIdx.x * W;

  const int c = col0 + tx;
  for (int r = threadIdx.y; r < H; r += STEP) {
    if (row0 + r < rows && c < columns) {
      tile[r][tx] = X[(row0 + r) * columns + c];
    }
  }
  __syncthreads();

  // A row of Y is a column of the tile, and has 64 elements: two for each lane.
  const int yc = row0 + tx;
  for (int r = threadIdx.y; r < W; r += STEP) {
    const int yr = col0 + r;
    if (yr < columns && yc < rows) {
      float* y = Y + yr * rows + yc;
      y[0] = tile[tx][r];
      y[32] = tile[tx + 32][r];
    }
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const dim3 block(W, STEP);
  const dim3 grid((columns + W - 1) / W, (rows + H - 1) / H);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
