// SPDX-License-Identifier: Apache-2.0
// exercise: transpose_padded
// verdict: not passed
// must not: pass
// Without padding, but the lanes of a warp read one after another (a loop with a condition), so that no request has two lanes: no conflict, 32 times the requests.

#include "transpose_padded.h"

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  int r = blockIdx.y * 32 + ty, c = blockIdx.x * 32 + tx;
  if (r < rows && c < columns) tile[ty][tx] = X[r * columns + c];
  __syncthreads();
  r = blockIdx.x * 32 + ty;
  c = blockIdx.y * 32 + tx;
  float v = 0;
  for (int lane = 0; lane < 32; ++lane)
    if (tx == lane && r < columns && c < rows) v = *(volatile float*)&tile[tx][ty];
  if (r < columns && c < rows) Y[r * rows + c] = v;
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  transpose_kernel<<<dim3((columns + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(X, Y, rows, columns);
}
