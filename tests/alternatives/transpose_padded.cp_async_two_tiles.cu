// SPDX-License-Identifier: Apache-2.0
// differs: a block walks along a row of tiles with two padded buffers, filled by asynchronous copies, one tile ahead;
// a lambda starts them. Byte order mark, Chinese comments.

#include <cuda_pipeline.h>

#include "transpose_padded.h"

#define SIDE 32

__global__ void walking(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[2][SIDE][SIDE + 1];
  const int x = threadIdx.x, y = threadIdx.y, top = blockIdx.x * SIDE;

  const auto start = [&](int buffer, int left) {  // 开始复制一块
    for (int r = y; r < SIDE; r += 16)
      if (top + r < rows && left + x < columns)
        __pipeline_memcpy_async(&tile[buffer][r][x], &X[(top + r) * columns + left + x], sizeof(float));
    __pipeline_commit();
  };

  int buffer = 0;
  start(buffer, 0);
  for (int left = 0; left < columns; left += SIDE, buffer = 1 - buffer) {
    start(1 - buffer, left + SIDE);  // 最后一次没有元素可复制
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int c = y; c < SIDE; c += 16)
      if (left + c < columns && top + x < rows) Y[(left + c) * rows + top + x] = tile[buffer][x][c];
    __syncthreads();
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  walking<<<(rows + SIDE - 1) / SIDE, dim3(SIDE, 16)>>>(X, Y, rows, columns);
}
