// SPDX-License-Identifier: Apache-2.0
// exercise: transpose_padded
// verdict: not passed
// must not: pass
// No padding, 32-way conflicts; in the same kernel a loop of conflict-free accesses to the same tile.

#include "transpose_padded.h"

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[32][32];
  __shared__ volatile float nice[1024];
  const int tx = threadIdx.x, ty = threadIdx.y;
  int r = blockIdx.y * 32 + ty, c = blockIdx.x * 32 + tx;
  for (int i = 0; i < 200; ++i) nice[ty * 32 + tx] = i;
  if (r < rows && c < columns) tile[ty][tx] = X[r * columns + c];
  __syncthreads();
  r = blockIdx.x * 32 + ty;
  c = blockIdx.y * 32 + tx;
  if (r < columns && c < rows) Y[r * rows + c] = tile[tx][ty];
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  transpose_kernel<<<dim3((columns + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(X, Y, rows, columns);
}
