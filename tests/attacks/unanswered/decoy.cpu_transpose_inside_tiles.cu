// SPDX-License-Identifier: Apache-2.0
// exercise: transpose_padded
// verdict: not passed
// must not: pass
// The CPU does the turning within tiles; the kernel moves whole tiles straight through a padded array with the right sectors and without conflicts.

#include "transpose_padded.h"
#include <vector>
__global__ void transpose_kernel(const float* T, float* Y, int rows, int columns) {
  __shared__ float tile[32][33];
  const int r = blockIdx.x * 32 + threadIdx.y, c = blockIdx.y * 32 + threadIdx.x;
  if (r < columns && c < rows) tile[threadIdx.y][threadIdx.x] = T[r * rows + c];
  __syncthreads();
  if (r < columns && c < rows) Y[r * rows + c] = tile[threadIdx.y][threadIdx.x];
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  std::vector<float> x((size_t)rows * columns), y(x.size());
  cudaMemcpy(x.data(), X, x.size() * 4, cudaMemcpyDeviceToHost);
  for (int r = 0; r < rows; ++r) for (int c = 0; c < columns; ++c) y[(size_t)c * rows + r] = x[(size_t)r * columns + c];
  float* T;
  cudaMalloc(&T, y.size() * 4);
  cudaMemcpy(T, y.data(), y.size() * 4, cudaMemcpyHostToDevice);
  transpose_kernel<<<dim3((columns + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(T, Y, rows, columns);
  cudaFree(T);
}
