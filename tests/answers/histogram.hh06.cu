// SPDX-License-Identifier: Apache-2.0
// mistake: The parameters are handed over in a struct of unsigned shorts, as "bins is at most 4096". The elements
//   per block are 16 x bins, which for 4096 bins is 65,536: one more than an unsigned short holds, so the kernel
//   gets 0. Each block then counts no elements, and counts is 0 everywhere. Up to 4095 bins all is right.
// want: What is the largest value of per_block, and what is the largest value of its type? Print plan.per_block for
//   4096 bins.

#include "histogram.h"

struct Plan {
  int length;
  unsigned short bins;
  unsigned short per_block;
};

constexpr int kThreads = 256;

__global__ void histogram_kernel(const int* input, int* counts, Plan plan) {
  extern __shared__ int copy[];
  for (int b = threadIdx.x; b < plan.bins; b += kThreads) {
    copy[b] = 0;
  }
  __syncthreads();

  const int begin = blockIdx.x * plan.per_block;
  const int end = min(begin + plan.per_block, plan.length);
  for (int i = begin + threadIdx.x; i < end; i += kThreads) {
    atomicAdd(&copy[input[i]], 1);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < plan.bins; b += kThreads) {
    atomicAdd(&counts[b], copy[b]);
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));
  if (length == 0) {
    return;
  }

  const int per_block = bins < 512 ? 8192 : 16 * bins;
  const int blocks = (length + per_block - 1) / per_block;

  Plan plan;
  plan.length = length;
  plan.bins = bins;
  plan.per_block = per_block;
  histogram_kernel<<<blocks, kThreads, bins * sizeof(int)>>>(input, counts, plan);
}
