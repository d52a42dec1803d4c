// SPDX-License-Identifier: Apache-2.0
// mistake: the keys of the swizzle are kept in a table in shared memory beside the tile: 4096 + 32 = 4128 bytes, where
//   4096 are allowed; looking them up also makes 129 requests for a tile of 1024 elements, where 128 are allowed. The
//   swizzle itself, exclusive or with the row's bits in reverse order, is right: the keys are all different.
// want: Add up all that the block declares as shared memory. How much is left beside the tile, and what can be computed
//   instead of looked up?
#include "transpose_swizzled.h"

constexpr int TILE = 32;

// Each row has a key of its own, its five bits from back to front.
__device__ int place(const unsigned char* keys, int row, int column) {
  return row * TILE + (column ^ keys[row]);
}

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE * TILE];
  __shared__ unsigned char keys[TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  if (ty == 0) {
    keys[tx] = static_cast<unsigned char>(__brev(tx) >> 27);
  }
  __syncthreads();

  const int x0 = blockIdx.x * TILE;
  const int y0 = blockIdx.y * TILE;

  if (y0 + ty < rows && x0 + tx < columns) {
    tile[place(keys, ty, tx)] = X[(y0 + ty) * columns + x0 + tx];
  }
  __syncthreads();
  if (x0 + ty < columns && y0 + tx < rows) {
    Y[(x0 + ty) * rows + y0 + tx] = tile[place(keys, tx, ty)];
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, dim3(TILE, TILE)>>>(X, Y, rows, columns);
}
