// SPDX-License-Identifier: Apache-2.0
// mistake: tiles of 16 x 16 with a pitch of 17. A warp has two rows of 16 threads, and its first and its last lane meet
//   in bank 0: words 0 and 32 when rows are stored, words 0 and 256 when columns are read. All other warps do the same,
//   so that each request has a 2-way conflict. The values are right for all shapes.
// want: Your blocks are 16 wide: which threads does the first warp have? List the words that its lanes 0, 15, 16 and 31
//   store to, and their banks. Is a padding of one element right for every width of a tile?
#include "transpose_padded.h"

// 16 x 16 = 256 threads, four such blocks instead of one with 1024
template <int SIDE>
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[SIDE][SIDE + 1];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int left = blockIdx.x * SIDE;
  const int top = blockIdx.y * SIDE;

  if (top + ty < rows && left + tx < columns) {
    tile[ty][tx] = X[(top + ty) * columns + left + tx];
  }
  __syncthreads();

  if (left + ty < columns && top + tx < rows) {
    Y[(left + ty) * rows + top + tx] = tile[tx][ty];
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  constexpr int side = 16;
  const dim3 block(side, side);
  const dim3 grid((columns + side - 1) / side, (rows + side - 1) / side);
  transpose_kernel<side><<<grid, block>>>(X, Y, rows, columns);
}
