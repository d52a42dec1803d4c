// SPDX-License-Identifier: Apache-2.0
// mistake: (column - row) % 32 is negative where column < row, and the element then lies in the row above: [1][0] has place
//   32 + (-1 % 32) = 31, which is [0][31]'s. Two elements share a place; a tile of 2 rows and 32 columns shows it: one of
//   the two is lost. (The banks are as they should be.)
// want: Compute place(1, 0) and place(0, 31). What is -1 % 32 in C++?
#include "transpose_swizzled.h"

#define TILE 32
#define THREADS 256

// Each row is turned by one more than the row above it.
__device__ int place(int row, int column) { return row * TILE + (column - row) % TILE; }

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE * TILE];

  const int row0 = blockIdx.y * TILE;
  const int column0 = blockIdx.x * TILE;

  // a block of 256 threads in a line walks over the 1024 elements in four steps
  for (int e = threadIdx.x; e < TILE * TILE; e += THREADS) {
    const int r = e / TILE, c = e % TILE;
    if (row0 + r < rows && column0 + c < columns) {
      tile[place(r, c)] = X[(row0 + r) * columns + (column0 + c)];
    }
  }

  __syncthreads();

  for (int e = threadIdx.x; e < TILE * TILE; e += THREADS) {
    const int c = e / TILE, r = e % TILE;  // now neighbours differ in r
    if (row0 + r < rows && column0 + c < columns) {
      Y[(column0 + c) * rows + (row0 + r)] = tile[place(r, c)];
    }
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, THREADS>>>(X, Y, rows, columns);
}
