// SPDX-License-Identifier: Apache-2.0
// differs: tiles of 64 rows x 32 columns, padded; a fixed grid of 3 x 2 blocks strides over them; cooperative groups;
// 64-bit indices; no newline at the end.

#include <cooperative_groups.h>

#include "transpose_padded.h"

__global__ void __launch_bounds__(512) tall(const float* X, float* Y, long long rows, long long columns) {
  __shared__ float tile[64][32 + 1];
  const auto block = cooperative_groups::this_thread_block();
  const int x = threadIdx.x, y = threadIdx.y;  // 32 x 16
  for (long long top = blockIdx.y * 64; top < rows; top += gridDim.y * 64) {
    for (long long left = blockIdx.x * 32; left < columns; left += gridDim.x * 32) {
      for (int r = y; r < 64; r += 16)
        if (top + r < rows && left + x < columns) tile[r][x] = X[(top + r) * columns + left + x];
      block.sync();
      for (int c = y; c < 32; c += 16)
        for (int r = x; r < 64; r += 32)
          if (left + c < columns && top + r < rows) Y[(left + c) * rows + top + r] = tile[r][c];
      block.sync();
    }
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  tall<<<dim3(3, 2), dim3(32, 16)>>>(X, Y, rows, columns);
}