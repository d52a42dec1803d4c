// SPDX-License-Identifier: Apache-2.0
// mistake: the rows of the tile are 36 floats apart. The elements of a column lie 4 banks apart, 8 different
//   banks for 32 lanes, so that every read of a column is a 4-way conflict. Values and sectors are right.
// want: In which bank does element [1][0] of your tile lie, in which element [8][0]? How far may the banks of two
//   rows be apart so that all 32 differ?
#include "transpose_padded.h"

constexpr int kTile = 32;
constexpr int kPitch = kTile + 4;  // padded; rows still begin at multiples of 16 bytes
constexpr int kRows = 8;

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[kTile * kPitch];

  const int left = blockIdx.x * kTile;
  const int top = blockIdx.y * kTile;
  const int lane = threadIdx.x;

  for (int r = threadIdx.y; r < kTile; r += kRows) {
    if (top + r < rows && left + lane < columns) {
      tile[r * kPitch + lane] = X[(top + r) * columns + left + lane];
    }
  }
  __syncthreads();

  for (int c = threadIdx.y; c < kTile; c += kRows) {
    if (left + c < columns && top + lane < rows) {
      Y[(left + c) * rows + top + lane] = tile[lane * kPitch + c];
    }
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_kernel<<<grid, dim3(kTile, kRows)>>>(X, Y, rows, columns);
}
