// SPDX-License-Identifier: Apache-2.0
//
// compact, a wrong answer: each block is a launch of its own.

#include "compact.h"

constexpr int kBlock = 256;

// One block: copies the positive elements from in[first] on, and adds their number to *count.
__global__ void compact_kernel(const int* in, int* out, int* count, int first, int n) {
  __shared__ bool positive[kBlock];
  const int i = first + threadIdx.x;
  const int own = i < n ? in[i] : 0;
  int place = *count;
  positive[threadIdx.x] = own > 0;
  const int copied = __syncthreads_count(own > 0);
  for (int t = 0; t < threadIdx.x; ++t) place += positive[t];
  if (own > 0) out[place] = own;
  if (threadIdx.x == 0) *count += copied;
}

int compact(const int* in, int* out, int n) {
  int* count = nullptr;
  cudaMalloc(&count, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  for (int first = 0; first < n; first += kBlock) compact_kernel<<<1, kBlock>>>(in, out, count, first, n);
  int total = 0;
  cudaMemcpy(&total, count, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(count);
  return total;
}
