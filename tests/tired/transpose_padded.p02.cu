// SPDX-License-Identifier: Apache-2.0
// mistake: tiles of 16 x 16 with one column of padding: a warp is two rows of threads then, and 17 is not enough for
//   both. Store: lane 0 has word 0, lane 31 (row 1, column 15) word 17 + 15 = 32: bank 0 twice. Load: lane 0 has word
//   0, lane 31 word 15 * 17 + 1 = 256: bank 0 twice. 2-way conflicts in each request; the values are right.
// want: With 16 x 16 threads, which elements does one warp store? Count their words out up to lane 31.
#include "transpose_padded.h"

static const int kTile = 16;

__global__ void transpose16(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[kTile][kTile + 1];  // + 1 against bank conflicts

  int x = blockIdx.x * kTile + threadIdx.x;
  int y = blockIdx.y * kTile + threadIdx.y;
  if (x < columns && y < rows) tile[threadIdx.y][threadIdx.x] = X[y * columns + x];

  __syncthreads();

  // now the block at the mirrored position
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  if (x < rows && y < columns) Y[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  dim3 block(kTile, kTile);
  dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose16<<<grid, block>>>(X, Y, rows, columns);
}
