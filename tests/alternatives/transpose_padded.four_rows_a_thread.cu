// SPDX-License-Identifier: Apache-2.0
// differs: blocks of 32 x 8, four elements a thread, all four in flight before the tile is written; the tile is a struct
// with operator() and a pitch of 33. Windows line ends.

#include "transpose_padded.h"

namespace {

constexpr int kTile = 32, kHigh = 8, kEach = kTile / kHigh;

struct Padded {
  float cells[kTile * 33];
  __device__ float& operator()(int row, int column) { return cells[row * 33 + column]; }
};

__global__ void four_rows(const float* X, float* Y, int rows, int columns) {
  __shared__ Padded tile;
  const int left = blockIdx.x * kTile, top = blockIdx.y * kTile, x = threadIdx.x, y = threadIdx.y;
  float v[kEach];
#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    const int r = top + y + e * kHigh;
    v[e] = r < rows && left + x < columns ? X[r * columns + left + x] : 0.0f;
  }
#pragma unroll
  for (int e = 0; e < kEach; ++e) tile(y + e * kHigh, x) = v[e];
  __syncthreads();
#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    const int c = left + y + e * kHigh;
    if (c < columns && top + x < rows) Y[c * rows + top + x] = tile(x, y + e * kHigh);
  }
}

}  // namespace

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  four_rows<<<dim3((columns + 31) / 32, (rows + 31) / 32), dim3(32, kHigh)>>>(X, Y, rows, columns);
}
