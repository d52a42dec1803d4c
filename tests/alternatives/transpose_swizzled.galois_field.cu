// SPDX-License-Identifier: Apache-2.0
// differs: element [row][column] lies in line row ^ column, at bank row ^ x * (row ^ column), with a multiplication in the
// field of 32 elements: neither rows nor columns of the tile are lines of memory. Blocks of 32 x 8, dynamic memory.

#include "transpose_swizzled.h"

// Multiplies by x in GF(2)[x] / (x^5 + x^2 + 1).
__device__ __forceinline__ unsigned times_x(unsigned a) { return (a << 1 ^ (a >> 4) * 0x25u) & 31u; }

__device__ __forceinline__ float& cell(float* tile, unsigned row, unsigned column) {
  // The bank is row ^ x (row ^ column) = (1 + x) row ^ x column: both factors have an inverse, so that it takes all 32
  // values along a row and along a column.
  const unsigned line = row ^ column;
  return tile[line * 32 + (row ^ times_x(line))];
}

__global__ void in_a_field(const float* X, float* Y, int rows, int columns) {
  extern __shared__ float memory[];
  const int tx = threadIdx.x, left = blockIdx.x * 32, top = blockIdx.y * 32;
  for (int r = threadIdx.y; r < 32; r += blockDim.y) {
    if (top + r < rows && left + tx < columns) cell(memory, r, tx) = X[(top + r) * columns + left + tx];
  }
  __syncthreads();
  for (int c = threadIdx.y; c < 32; c += blockDim.y) {
    if (left + c < columns && top + tx < rows) Y[(left + c) * rows + top + tx] = cell(memory, tx, c);
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  in_a_field<<<dim3((columns + 31) / 32, (rows + 31) / 32), dim3(32, 8), 4096>>>(X, Y, rows, columns);
}
