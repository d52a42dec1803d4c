// SPDX-License-Identifier: Apache-2.0
//
// compact, a right answer: blocks add up the total by an atomic operation, and each counts what stands before
// it again.

#include "compact.h"

__global__ void copy(const int* in, int* out, int* total, int n) {
  __shared__ int sums[256];
  const int t = threadIdx.x, first = blockIdx.x * 256;
  int before = 0;
  for (int i = t; i < first; i += 256) before += in[i] > 0;
  sums[t] = before;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) sums[t] += sums[t + half];
    __syncthreads();
  }
  int place = sums[0];
  __syncthreads();
  const int own = first + t < n ? in[first + t] : 0;
  sums[t] = own > 0;
  __syncthreads();
  for (int u = 0; u < t; ++u) place += sums[u];
  if (own > 0) {
    out[place] = own;
    atomicAdd(total, 1);
  }
}

int compact(const int* in, int* out, int n) {
  int* total = nullptr;
  cudaMalloc(&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  copy<<<(n + 255) / 256, 256>>>(in, out, total, n);
  int count = 0;
  cudaMemcpy(&count, total, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(total);
  return count;
}
