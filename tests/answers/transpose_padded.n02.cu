// SPDX-License-Identifier: Apache-2.0
// mistake: a block carries four tiles one after another through the same shared tile, and no barrier stands between the
//   reads of one tile and the stores of the next: a race.
// want: A fast warp goes on to the next tile: what does it overwrite, and may another warp still have to read that? What
//   must every warp wait for before the tile is used again?
#include "transpose_padded.h"

constexpr int kSide = 32;
constexpr int kTilesPerBlock = 4;

// A block goes through up to four tiles of X from left to right.
__global__ void transpose_strip(const float* X, float* Y, int rows, int columns) {
  __shared__ float buffer[kSide][kSide + 1];  // + 1: a column lies in 32 banks

  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int top = blockIdx.y * kSide;

  for (int t = 0; t < kTilesPerBlock; ++t) {
    const int left = (blockIdx.x * kTilesPerBlock + t) * kSide;
    if (left >= columns) break;  // the same for the whole block

    if (top + y < rows && left + x < columns) {
      buffer[y][x] = X[(top + y) * columns + (left + x)];
    }
    __syncthreads();
    if (left + y < columns && top + x < rows) {
      Y[(left + y) * rows + (top + x)] = buffer[x][y];
    }
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const int strip = kSide * kTilesPerBlock;
  const dim3 grid((columns + strip - 1) / strip, (rows + kSide - 1) / kSide);
  transpose_strip<<<grid, dim3(kSide, kSide)>>>(X, Y, rows, columns);
}
