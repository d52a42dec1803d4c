// SPDX-License-Identifier: Apache-2.0
// exercise: transpose_padded
// verdict: not passed
// must not: pass
// One launch, two kinds of blocks: some transpose badly (strided reads, no shared memory) and store; others make many perfect accesses for nothing, to lower averages of the launch that stored.

#include "transpose_padded.h"

__global__ void transpose_kernel(const float* X, float* Y, const float* junk, int rows, int columns) {
  __shared__ float tile[32][33];
  const int tx = threadIdx.x, ty = threadIdx.y;
  if (blockIdx.z == 0) {
    const int r = blockIdx.y * 32 + tx, c = blockIdx.x * 32 + ty;
    if (r < rows && c < columns) Y[c * rows + r] = X[r * columns + c];
    return;
  }
  for (int i = 0; i < 8; ++i) {
    tile[ty][tx] = junk[ty * 32 + tx];
    __syncthreads();
    if (tile[tx][ty] == 5.0f) Y[0] = 5.0f;
    __syncthreads();
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  float* junk;
  cudaMalloc(&junk, 4096);
  cudaMemset(junk, 0, 4096);
  transpose_kernel<<<dim3((columns + 31) / 32, (rows + 31) / 32, 8), dim3(32, 32)>>>(X, Y, junk, rows, columns);
  cudaFree(junk);
}
