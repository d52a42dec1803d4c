// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_matmul
// verdict: not passed
// must not: pass; grader_fault
// Destroys the default streams and uses them.

#include "coarsened_matmul.h"

__global__ void naive_mm(const float* M, const float* N, float* P, int j, int k, int l) {
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  if (row >= j || col >= l) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += M[row * k + i] * N[i * l + col];
  P[row * l + col] = sum;
}
static void naive(const float* M, const float* N, float* P, int j, int k, int l) {
  naive_mm<<<dim3((l + 15) / 16, (j + 15) / 16), dim3(16, 16)>>>(M, N, P, j, k, l);
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  cudaStreamDestroy(0);
  cudaStreamDestroy(cudaStreamLegacy);
  cudaStreamDestroy(cudaStreamPerThread);
  naive(M, N, P, width, width, width);
}
