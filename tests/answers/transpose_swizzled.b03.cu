// SPDX-License-Identifier: Apache-2.0
// mistake: blocks carry several tiles in turn, with two buffers so that one barrier a tile is enough: 8192 bytes
//   of shared memory, twice what a block may use. Values and banks are right.
// want: how many bytes of shared memory does a block of yours take, and how many are allowed? What does the
//   second buffer save, and what would keep one buffer safe instead?
#include "transpose_swizzled.h"

#define TILE 32
#define MAX_BLOCKS 256

// Where element [row][column] of a tile lies, 0 to TILE * TILE - 1.
__device__ int place(int row, int column) {
  return row * TILE + (row + column) % TILE;
}

// Y = X transposed. Each block takes every gridDim.x-th tile of X, by turns in one of two buffers.
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float buffers[2][TILE * TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int across = (columns + TILE - 1) / TILE;
  const int down = (rows + TILE - 1) / TILE;

  int use = 0;
  for (int t = blockIdx.x; t < across * down; t += gridDim.x) {
    float* tile = buffers[use];
    const int row0 = t / across * TILE;
    const int column0 = t % across * TILE;
    if (row0 + ty < rows && column0 + tx < columns) {
      tile[place(ty, tx)] = X[(row0 + ty) * columns + column0 + tx];
    }
    __syncthreads();
    if (column0 + ty < columns && row0 + tx < rows) {
      Y[(column0 + ty) * rows + row0 + tx] = tile[place(tx, ty)];
    }
    use ^= 1;
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const int tiles = ((columns + TILE - 1) / TILE) * ((rows + TILE - 1) / TILE);
  transpose_kernel<<<tiles < MAX_BLOCKS ? tiles : MAX_BLOCKS, dim3(TILE, TILE)>>>(X, Y, rows, columns);
}
