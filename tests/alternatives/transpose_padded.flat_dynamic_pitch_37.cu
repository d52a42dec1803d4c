// SPDX-License-Identifier: Apache-2.0
// differs: 1-D blocks of 1024 threads and a 1-D grid, dynamic shared memory with five columns of padding (37 is odd,
// too), the tile stored turned and read straight.

#include "transpose_padded.h"

static constexpr int kPitch = 37;

__global__ void flat(const float* X, float* Y, int rows, int columns, int across) {
  extern __shared__ float cells[];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const int left = static_cast<int>(blockIdx.x) % across * 32, top = static_cast<int>(blockIdx.x) / across * 32;
  if (top + warp < rows && left + lane < columns) cells[lane * kPitch + warp] = X[(top + warp) * columns + left + lane];
  __syncthreads();
  if (left + warp < columns && top + lane < rows) Y[(left + warp) * rows + top + lane] = cells[warp * kPitch + lane];
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const int across = (columns + 31) / 32, down = (rows + 31) / 32;
  flat<<<across * down, 1024, 32 * kPitch * sizeof(float)>>>(X, Y, rows, columns, across);
}
