// SPDX-License-Identifier: Apache-2.0
// mistake: For length 0 the function returns at its very start, before cudaMemset. The student wanted to avoid the
//   launch of 0 blocks ("nothing to count, nothing to do"), but counts still has to become 0; it keeps the values
//   from before the call. All else is right.
// want: What should counts contain after a call with length 0? Who writes it?

#include "histogram.h"

#define BLOCK_SIZE 256

// Adds up how often each value occurs in the elements of this block.
__global__ void histogram_kernel(const int* input, int* counts, int length, int bins, int chunk) {
  extern __shared__ int copy[];
  for (int b = threadIdx.x; b < bins; b += blockDim.x) {
    copy[b] = 0;
  }
  __syncthreads();

  const int start = blockIdx.x * chunk;
  const int end = start + chunk < length ? start + chunk : length;
  for (int i = start + threadIdx.x; i < end; i += blockDim.x) {
    atomicAdd(&copy[input[i]], 1);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += blockDim.x) {
    atomicAdd(&counts[b], copy[b]);
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  if (length == 0) {
    return;
  }
  cudaMemset(counts, 0, bins * sizeof(int));

  int chunk = 32 * BLOCK_SIZE;
  while (chunk < 16 * bins) {
    chunk *= 2;
  }
  const int blocks = (length + chunk - 1) / chunk;
  histogram_kernel<<<blocks, BLOCK_SIZE, bins * sizeof(int)>>>(input, counts, length, bins, chunk);
}
