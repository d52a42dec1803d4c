// SPDX-License-Identifier: Apache-2.0
// mistake: besides the tile, the block's origin lies in shared memory, 8 bytes: 4104 bytes in all, and 4096 are allowed.
//   All else is right: the column is combined with the Gray code of the row, which is another one for each row,
//   so that rows and columns lie in 32 banks.
// want: how many bytes does everything take that your kernel declares __shared__? Does the origin have to be there?
#include "transpose_swizzled.h"

constexpr int T = 32;

// Gray code of the row: goes through all 32 numbers, too.
__device__ __forceinline__ int place(int row, int column) {
  const int gray = row ^ (row >> 1);
  return (row << 5) | (column ^ gray);
}

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns, int across) {
  __shared__ float tile[T * T];
  __shared__ int2 origin;  // in X, of this block's tile

  // A division is expensive: one thread does it for all.
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    const int down = blockIdx.x / across;
    origin = make_int2((blockIdx.x - down * across) * T, down * T);
  }
  __syncthreads();
  const int2 o = origin;

  for (int k = threadIdx.y; k < T; k += blockDim.y) {
    const int r = o.y + k;
    const int c = o.x + threadIdx.x;
    if (r < rows && c < columns) tile[place(k, threadIdx.x)] = X[r * columns + c];
  }
  __syncthreads();

  for (int k = threadIdx.y; k < T; k += blockDim.y) {
    const int r = o.x + k;
    const int c = o.y + threadIdx.x;
    if (r < columns && c < rows) Y[r * rows + c] = tile[place(threadIdx.x, k)];
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const int across = (columns + T - 1) / T;
  const int down = (rows + T - 1) / T;
  transpose_kernel<<<across * down, dim3(T, 8)>>>(X, Y, rows, columns, across);
}
