// SPDX-License-Identifier: Apache-2.0
// exercise: transpose_padded
// verdict: not passed
// must not: pass
// A tile without padding: the column is read by atomicOr on shared memory, which may not be asked for conflicts.

#include "transpose_padded.h"

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  int r = blockIdx.y * 32 + ty, c = blockIdx.x * 32 + tx;
  if (r < rows && c < columns) tile[ty][tx] = X[r * columns + c];
  __syncthreads();
  r = blockIdx.x * 32 + ty;
  c = blockIdx.y * 32 + tx;
  if (r < columns && c < rows) Y[r * rows + c] = __int_as_float(atomicOr((int*)&tile[tx][ty], 0));
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  transpose_kernel<<<dim3((columns + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(X, Y, rows, columns);
}
