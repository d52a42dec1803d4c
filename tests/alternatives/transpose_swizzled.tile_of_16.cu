// SPDX-License-Identifier: Apache-2.0
// differs: tiles of 16 x 16 in 1 KB: a warp carries two rows of 16 (two sectors each); row ^ column within 16, and the
// row's last bit picks the half of the banks.

#include "transpose_swizzled.h"

#define SIDE 16

__device__ constexpr int spot(int row, int column) { return row * SIDE + (column ^ row); }

__global__ void sixteen(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[SIDE * SIDE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  {
    const int r = blockIdx.y * SIDE + ty, c = blockIdx.x * SIDE + tx;
    if (r < rows && c < columns) tile[spot(ty, tx)] = X[r * columns + c];
  }
  __syncthreads();
  {
    const int r = blockIdx.x * SIDE + ty, c = blockIdx.y * SIDE + tx;
    if (r < columns && c < rows) Y[r * rows + c] = tile[spot(tx, ty)];
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 grid((columns + SIDE - 1) / SIDE, (rows + SIDE - 1) / SIDE);
  sixteen<<<grid, dim3(SIDE, SIDE)>>>(X, Y, rows, columns);
}
