// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_matmul
// verdict: not passed
// must not: pass; grader_fault
// Inputs are copied to pinned, mapped host memory; an uncoarsened kernel reads them there.

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
  float *h, *d;
  const size_t b = (size_t)width * width * 4;
  cudaHostAlloc(&h, 2 * b, cudaHostAllocMapped);
  cudaMemcpy(h, M, b, cudaMemcpyDeviceToHost);
  cudaMemcpy(h + b / 4, N, b, cudaMemcpyDeviceToHost);
  cudaHostGetDevicePointer((void**)&d, h, 0);
  naive(d, d + b / 4, P, width, width, width);
  cudaDeviceSynchronize();
  cudaFreeHost(h);
}
