// SPDX-License-Identifier: Apache-2.0
// mistake: the block has 8 rows of threads and each does four rows of the tile, but what is stored is swizzled by ty (0 to
//   7) and not by the row of the tile (ty + j). What is read is swizzled by the row. Rows 0 to 7 of a tile are right;
//   element [8][0] is stored at 8 x 32 + 0, and looked for at 8 x 32 + 8, where [8][8] lies. Shows where rows > 8.
// want: Follow element [8][0] of the tile: to which place does it go, and from which place is it fetched?
#include "transpose_swizzled.h"

constexpr int TILE = 32;
constexpr int ROWS = 8;  // of threads

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE][TILE];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int xr = blockIdx.y * TILE, xc = blockIdx.x * TILE;

  // the column of this thread, permuted within the row
  const int mixed = tx ^ ty;

#pragma unroll
  for (int j = 0; j < TILE; j += ROWS) {
    const int r = xr + ty + j;
    if (r < rows && xc + tx < columns)
      tile[ty + j][mixed] = X[r * columns + xc + tx];
  }

  __syncthreads();

#pragma unroll
  for (int j = 0; j < TILE; j += ROWS) {
    const int r = xc + ty + j;
    if (r < columns && xr + tx < rows)
      Y[r * rows + xr + tx] = tile[tx][(ty + j) ^ tx];
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 grid((columns - 1) / TILE + 1, (rows - 1) / TILE + 1);
  transpose_kernel<<<grid, dim3(TILE, ROWS)>>>(X, Y, rows, columns);
}
