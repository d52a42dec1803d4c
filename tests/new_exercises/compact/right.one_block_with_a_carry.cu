// SPDX-License-Identifier: Apache-2.0
//
// compact, a right answer: one block goes over the array and carries the count so far.

#include "compact.h"

__global__ void carry(const int* in, int* out, int* total, int n) {
  __shared__ int sums[1024];
  int before = 0;
  for (int first = 0; first < n; first += 1024) {
    const int i = first + threadIdx.x;
    const int own = i < n ? in[i] : 0;
    sums[threadIdx.x] = own > 0;
    __syncthreads();
    for (int step = 1; step < 1024; step *= 2) {
      const int left = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
      __syncthreads();
      sums[threadIdx.x] += left;
      __syncthreads();
    }
    if (own > 0) out[before + sums[threadIdx.x] - 1] = own;
    before += sums[1023];
    __syncthreads();
  }
  if (threadIdx.x == 0) *total = before;
}

int compact(const int* in, int* out, int n) {
  int* total = nullptr;
  cudaMallocManaged(&total, sizeof(int));
  carry<<<1, 1024>>>(in, out, total, n);
  cudaDeviceSynchronize();
  const int count = *total;
  cudaFree(total);
  return count;
}
