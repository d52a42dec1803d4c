// SPDX-License-Identifier: Apache-2.0
// exercise: transpose_swizzled
// verdict: not passed
// must not: pass
// cp.async stores the tile transposed, 32 lanes into one bank; the loads are then free of conflicts. 4096 bytes.

#include "transpose_swizzled.h"
#include <cuda_pipeline.h>
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  int r = blockIdx.y * 32 + ty, c = blockIdx.x * 32 + tx;
  if (r < rows && c < columns) __pipeline_memcpy_async(&tile[tx][ty], X + r * columns + c, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  r = blockIdx.x * 32 + ty;
  c = blockIdx.y * 32 + tx;
  if (r < columns && c < rows) Y[r * rows + c] = tile[ty][tx];
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  transpose_kernel<<<dim3((columns + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(X, Y, rows, columns);
}
