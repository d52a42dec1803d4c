// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: every element is an atomic addition in global memory.
#include "histogram.h"

#define BLOCK_SIZE 256

__global__ void plain_kernel(const int* input, int* counts, int length) {
  const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
  if (i < length) {
    atomicAdd(&counts[input[i]], 1);
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));
  const int blocks = (length + BLOCK_SIZE - 1) / BLOCK_SIZE;
  if (blocks > 0) {
    plain_kernel<<<blocks, BLOCK_SIZE>>>(input, counts, length);
  }
}
