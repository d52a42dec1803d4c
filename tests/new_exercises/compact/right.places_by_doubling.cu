// SPDX-License-Identifier: Apache-2.0
//
// compact, a right answer: a sum over all flags in global memory, one kernel for each step.

#include "compact.h"

__global__ void flag(const int* in, int* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sums[i] = in[i] > 0;
}

__global__ void add(const int* from, int* to, int step, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i] + (i >= step ? from[i - step] : 0);
}

__global__ void copy(const int* in, const int* sums, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 0) out[sums[i] - 1] = in[i];
}

int compact(const int* in, int* out, int n) {
  const int block = 128, grid = (n + block - 1) / block;
  int *a = nullptr, *b = nullptr;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  flag<<<grid, block>>>(in, a, n);
  for (int step = 1; step < n; step *= 2) {
    add<<<grid, block>>>(a, b, step, n);
    int* const swap = a;
    a = b;
    b = swap;
  }
  copy<<<grid, block>>>(in, a, out, n);
  int total = 0;
  cudaMemcpy(&total, a + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
  return total;
}
