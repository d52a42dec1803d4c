// SPDX-License-Identifier: Apache-2.0
//
// prefix_sum, a wrong answer: not all threads of a block come to the barrier, and it is not between reading
// and storing.

#include "prefix_sum.h"

constexpr int kBlock = 256;

// Adds up within each block; totals[b] becomes the sum of block b's elements.
__global__ void scan(const int* in, int* out, int* totals, int n) {
  __shared__ int sums[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int own = i < n ? in[i] : 0;
  sums[threadIdx.x] = own;
  __syncthreads();
  for (int step = 1; step < kBlock; step *= 2) {
    if (threadIdx.x >= step) {
      __syncthreads();
      const int left = sums[threadIdx.x - step];
      sums[threadIdx.x] += left;
    }
    __syncthreads();
  }
  if (i < n) out[i] = sums[threadIdx.x];
  if (threadIdx.x == kBlock - 1) totals[blockIdx.x] = sums[threadIdx.x];
}

// Each block adds the totals of those before it to its elements.
__global__ void add_blocks_before(int* out, const int* totals, int n) {
  __shared__ int before;
  if (threadIdx.x == 0) before = 0;
  __syncthreads();
  for (int b = threadIdx.x; b < blockIdx.x; b += kBlock) atomicAdd(&before, totals[b]);
  __syncthreads();
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) out[i] += before;
}

void prefix_sum(const int* in, int* out, int n) {
  const int grid = (n + kBlock - 1) / kBlock;  // rounded up
  int* totals = nullptr;
  cudaMalloc(&totals, grid * sizeof(int));
  scan<<<grid, kBlock>>>(in, out, totals, n);
  add_blocks_before<<<grid, kBlock>>>(out, totals, n);
  cudaFree(totals);
}
