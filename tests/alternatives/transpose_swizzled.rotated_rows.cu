// SPDX-License-Identifier: Apache-2.0
// differs: each row is turned by three banks more than the one before ((column + 3 * row) mod 32), the tile is written
// turned and read straight. Windows line ends.

#include "transpose_swizzled.h"

struct Rotated {
  __device__ static constexpr int at(int row, int column) { return row * 32 + (column + 3 * row) % 32; }
};

template <class Layout>
__global__ void with_layout(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[32 * 32];
  const int tx = threadIdx.x, ty = threadIdx.y, left = blockIdx.x * 32, top = blockIdx.y * 32;
  if (top + ty < rows && left + tx < columns) tile[Layout::at(tx, ty)] = X[(top + ty) * columns + left + tx];
  __syncthreads();
  if (left + ty < columns && top + tx < rows) Y[(left + ty) * rows + top + tx] = tile[Layout::at(ty, tx)];
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  with_layout<Rotated><<<dim3((columns + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(X, Y, rows, columns);
}
