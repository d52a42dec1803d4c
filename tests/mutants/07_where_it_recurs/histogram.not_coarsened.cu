// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: each thread counts one element.
#include "histogram.h"

#define BLOCK_SIZE 256

__global__ void histogram_kernel(const int* input, int* counts, int length, int bins) {
  extern __shared__ int copy[];

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    copy[b] = 0;
  }
  __syncthreads();

  const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
  if (i < length) {
    atomicAdd(&copy[input[i]], 1);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    if (copy[b] > 0) {
      atomicAdd(&counts[b], copy[b]);
    }
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));

  const int blocks = (length + BLOCK_SIZE - 1) / BLOCK_SIZE;
  if (blocks > 0) {
    histogram_kernel<<<blocks, BLOCK_SIZE, bins * sizeof(int)>>>(input, counts, length, bins);
  }
}
