// SPDX-License-Identifier: Apache-2.0
// mistake: The column is combined with the row modulo 8 only, as for elements of 16 bytes: rows 0, 8, 16 and 24 of one column lie in
//   the same bank, so that each read of a column is a 4-way conflict (column 0: banks 0 to 7, four words each). Values,
//   rows and sectors are right.
// want: In which banks do the elements of column 0 lie in rows 0, 7, 8 and 16?
#include "transpose_swizzled.h"

constexpr int kSide = 32;
constexpr int kRows = 8;

struct Swizzle {
  float* data;
  // XOR is its own inverse, so nothing can get lost
  __device__ float& operator()(int row, int column) { return data[(row << 5) | (column ^ (row & 7))]; }
};

__global__ void __launch_bounds__(kSide* kRows) transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float memory[kSide * kSide];
  Swizzle tile{memory};

  const int x0 = blockIdx.x * kSide;
  const int y0 = blockIdx.y * kSide;

#pragma unroll
  for (int j = 0; j < kSide; j += kRows) {
    const int r = threadIdx.y + j;
    if (y0 + r < rows && x0 + threadIdx.x < columns) {
      tile(r, threadIdx.x) = X[(y0 + r) * columns + x0 + threadIdx.x];
    }
  }
  __syncthreads();
#pragma unroll
  for (int j = 0; j < kSide; j += kRows) {
    const int c = threadIdx.y + j;
    if (x0 + c < columns && y0 + threadIdx.x < rows) {
      Y[(x0 + c) * rows + y0 + threadIdx.x] = tile(threadIdx.x, c);
    }
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 grid((columns + kSide - 1) / kSide, (rows + kSide - 1) / kSide);
  transpose_kernel<<<grid, dim3(kSide, kRows)>>>(X, Y, rows, columns);
}
