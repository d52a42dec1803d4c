// SPDX-License-Identifier: Apache-2.0
// mistake: a tile of 16 x 16 with rows of 17: a warp is two rows of 16 threads, and the padding that serves 32 x 32 leaves
//   a conflict of 2 ways in each request. Storing, warp 0 has the words 0 to 15 and 17 to 32, and 0 and 32 are
//   both in bank 0. Loading, lane (tx, ty) has word 17 tx + ty: (0, 0) is word 0 and (15, 1) is 256, both bank 0.
//   The values and the sectors are right.
// want: which 32 words of the tile does a warp store at once when a row has 16 threads? Write down their banks: does one
//   come twice?
#include "transpose_padded.h"

template <int T>
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[T][T + 1];  // one more, so that a column runs through the banks

  int c = blockIdx.x * T + threadIdx.x;
  int r = blockIdx.y * T + threadIdx.y;
  if (r < rows && c < columns) tile[threadIdx.y][threadIdx.x] = X[r * columns + c];

  __syncthreads();

  // now c counts the columns of Y, which are rows of X
  c = blockIdx.y * T + threadIdx.x;
  r = blockIdx.x * T + threadIdx.y;
  if (r < columns && c < rows) Y[r * rows + c] = tile[threadIdx.x][threadIdx.y];
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  constexpr int T = 16;
  auto tiles = [](int side) { return (side + T - 1) / T; };
  transpose_kernel<T><<<dim3(tiles(columns), tiles(rows)), dim3(T, T)>>>(X, Y, rows, columns);
}
