// SPDX-License-Identifier: Apache-2.0
// mistake: only the low three bits of the row are mixed into the column. The 32 elements of a column lie in 8 banks, 4 in
//   each (rows 0, 8, 16 and 24 have the same bank): a 4-way conflict when a column is read. Values are right.
// want: In which bank does your place() put [0][0], and in which [8][0]? How many different banks does a column get?
#include "transpose_swizzled.h"

namespace {

constexpr unsigned kTile = 32;
constexpr unsigned kStep = 8;

__device__ __forceinline__ unsigned place(unsigned row, unsigned column) {
  return row * kTile | (column ^ (row & 7u));
}

__global__ void __launch_bounds__(kTile * kStep) swizzle(const float* X, float* Y, unsigned rows, unsigned columns) {
  __shared__ float tile[kTile * kTile];

  const unsigned lane = threadIdx.x & 31u;
  const unsigned warp = threadIdx.x >> 5;
  const unsigned top = blockIdx.y * kTile;
  const unsigned left = blockIdx.x * kTile;

#pragma unroll
  for (unsigned k = 0; k < kTile; k += kStep) {
    const unsigned r = top + warp + k, c = left + lane;
    if (r < rows && c < columns) tile[place(warp + k, lane)] = X[r * columns + c];
  }

  __syncthreads();

#pragma unroll
  for (unsigned k = 0; k < kTile; k += kStep) {
    const unsigned r = left + warp + k, c = top + lane;
    if (r < columns && c < rows) Y[r * rows + c] = tile[place(lane, warp + k)];
  }
}

}  // namespace

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  swizzle<<<grid, kTile * kStep>>>(X, Y, rows, columns);
}
