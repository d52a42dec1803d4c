// SPDX-License-Identifier: Apache-2.0
// mistake: place() is the padded position 33 * row + column, wrapped at 1024 over the whole tile instead of at 32
//   within a row. Elements share places: [31][1] would be at 1024 and comes to 0, where [0][0] lies, and so on to
//   [31][31] and [0][30]. In every tile with 32 rows one of each pair is lost (and which one is a race). No bank
//   conflicts.
// want: Where does your function put element [31][1]? And [0][0]?
#include "transpose_swizzled.h"

#define TILE 32

// As with a pitch of 33, only that what sticks out at the end begins again at the front.
__device__ int place(int row, int column) {
  return (row * (TILE + 1) + column) % (TILE * TILE);
}

__global__ void transpose_kernel(const float* __restrict__ X, float* __restrict__ Y, int rows, int columns) {
  __shared__ float tile[TILE * TILE];

  const int tx = threadIdx.x;
  int x = blockIdx.x * TILE + tx;
  int y = blockIdx.y * TILE + threadIdx.y;
#pragma unroll
  for (int j = 0; j < TILE; j += 16) {
    if (x < columns && y + j < rows) tile[place(threadIdx.y + j, tx)] = X[(y + j) * columns + x];
  }

  __syncthreads();

  x = blockIdx.y * TILE + tx;
  y = blockIdx.x * TILE + threadIdx.y;
#pragma unroll
  for (int j = 0; j < TILE; j += 16) {
    if (x < rows && y + j < columns) Y[(y + j) * rows + x] = tile[place(tx, threadIdx.y + j)];
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, 16);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
