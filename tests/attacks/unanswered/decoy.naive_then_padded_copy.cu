// SPDX-License-Identifier: Apache-2.0
// exercise: transpose_padded
// verdict: not passed
// must not: pass
// The store that counts is made by a faultless kernel, which only copies; the real transposition is another launch, uncoalesced, into scratch.

#include "transpose_padded.h"

__global__ void naive_transpose(const float* X, float* T, int rows, int columns) {
  const int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
  if (r < rows && c < columns) T[c * rows + r] = X[r * columns + c];
}
__global__ void transpose_kernel(const float* T, float* Y, int rows, int columns) {
  __shared__ float tile[32][33];
  const int r = blockIdx.y * 32 + threadIdx.y, c = blockIdx.x * 32 + threadIdx.x;
  if (r < columns && c < rows) tile[threadIdx.y][threadIdx.x] = T[r * rows + c];
  __syncthreads();
  if (r < columns && c < rows) Y[r * rows + c] = tile[threadIdx.y][threadIdx.x];
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  float* T;
  cudaMalloc(&T, sizeof(float) * rows * columns);
  naive_transpose<<<dim3((columns + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(X, T, rows, columns);
  transpose_kernel<<<dim3((rows + 31) / 32, (columns + 31) / 32), dim3(32, 32)>>>(T, Y, rows, columns);
  cudaFree(T);
}
