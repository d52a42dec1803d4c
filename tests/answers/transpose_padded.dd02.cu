// SPDX-License-Identifier: Apache-2.0
// mistake: A block carries four tiles one after another through the same shared array, with one barrier for each: none between
//   reading a tile and loading the next, so that a fast warp overwrites elements that a slow one still has to read. Shows
//   where columns > 32, for example 32 x 64: warp 0 may store row 0 of tile 1 while warp 1 reads column 9 of tile 0.
// want: Warp 0 has written its part of Y and begins with the next tile, warp 1 has not come that far. What lies in the words that
//   warp 1 still wants?
#include "transpose_padded.h"

constexpr int kTile = 32;
constexpr int kStep = 8;   // rows of threads
constexpr int kTiles = 4;  // that a block moves, from left to right

__global__ void transpose_strip(const float* X, float* Y, int rows, int columns) {
  __shared__ float buffer[kTile][kTile + 1];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int top = blockIdx.y * kTile;

  for (int t = 0; t < kTiles; ++t) {
    const int left = (blockIdx.x * kTiles + t) * kTile;
    if (left >= columns) return;  // for all threads alike

    if (left + tx < columns) {
      for (int y = ty; y < kTile && top + y < rows; y += kStep) {
        buffer[y][tx] = X[(top + y) * columns + left + tx];
      }
    }

    __syncthreads();  // the tile is complete

    if (top + tx < rows) {
      for (int y = ty; y < kTile && left + y < columns; y += kStep) {
        Y[(left + y) * rows + top + tx] = buffer[tx][y];
      }
    }
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const int strip = kTile * kTiles;
  transpose_strip<<<dim3((columns + strip - 1) / strip, (rows + kTile - 1) / kTile), dim3(kTile, kStep)>>>(X, Y, rows, columns);
}
