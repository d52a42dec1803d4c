// SPDX-License-Identifier: Apache-2.0
// mistake: The block holds two tiles at a time, 2 x 4096 = 8192 bytes of shared memory, where the header allows 4096. It
//   shows at any size. Values, banks (columns turned by 5 x row) and sectors are right.
// want: Add up what one block of yours keeps in shared memory, and compare it with the last line of the header. Must both
//   tiles be there at the same time?
#include "transpose_swizzled.h"

namespace {

constexpr int kSide = 32;
constexpr int kTiles = 2;  // of one block, side by side

using Tile = float[kSide * kSide];

__device__ float& at(Tile& tile, int row, int column) {
  // each row is turned by 5 more: 5 is odd, so a column comes through all banks
  return tile[row * kSide + ((column + 5 * row) & (kSide - 1))];
}

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ Tile tile[kTiles];

  const int lane = threadIdx.x;
  const int top = blockIdx.y * kSide;
  const int left = blockIdx.x * kSide * kTiles;

  // all loads of both tiles are under way before the one barrier
  for (int t = 0; t < kTiles; ++t) {
    const int c = left + t * kSide + lane;
    for (int j = threadIdx.y; j < kSide; j += blockDim.y) {
      if (c < columns && top + j < rows) at(tile[t], j, lane) = X[(top + j) * columns + c];
    }
  }
  __syncthreads();

  for (int t = 0; t < kTiles; ++t) {
    for (int j = threadIdx.y; j < kSide; j += blockDim.y) {
      const int c = left + t * kSide + j;
      if (c < columns && top + lane < rows) Y[c * rows + top + lane] = at(tile[t], lane, j);
    }
  }
}

}  // namespace

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const int wide = kSide * kTiles;
  transpose_kernel<<<dim3((columns + wide - 1) / wide, (rows + kSide - 1) / kSide), dim3(kSide, 8)>>>(X, Y, rows,
                                                                                                       columns);
}
