// SPDX-License-Identifier: Apache-2.0
// mistake: A block has 64 rows of X, which it stores in two halves, but whether the row exists is asked for the first half
//   only. rows 40, columns 32: in the second half all lanes pass (0 to 31 are below 40) and rows 40 to 63, which do not
//   exist, are written into Y over the beginning of the next row of Y, and behind its end.
// want: Let X have 40 rows. Which row of X does lane 10 store when h is 32, and what did the `if` look at?
#include "transpose_padded.h"

constexpr int W = 32;      // columns of X for a block
constexpr int H = 64;      // rows
constexpr int WARPS = 8;

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[H][W + 1];

  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int r0 = blockIdx.y * H;
  const int c0 = blockIdx.x * W;

  // each warp takes rows of X
  if (c0 + lane < columns) {
    for (int r = warp; r < H && r0 + r < rows; r += WARPS) {
      tile[r][lane] = X[(r0 + r) * columns + c0 + lane];
    }
  }
  __syncthreads();

  // and now rows of Y: 64 elements, so twice a warp
  for (int c = warp; c < W && c0 + c < columns; c += WARPS) {
    float* y = Y + (c0 + c) * rows + r0;
    if (r0 + lane < rows) {
      for (int h = 0; h < H; h += 32) {
        y[h + lane] = tile[h + lane][c];
      }
    }
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const dim3 grid((columns + W - 1) / W, (rows + H - 1) / H);
  transpose_kernel<<<grid, WARPS * 32>>>(X, Y, rows, columns);
}
