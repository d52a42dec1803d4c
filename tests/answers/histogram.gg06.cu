// SPDX-License-Identifier: Apache-2.0
// mistake: The third launch parameter is given as bins, as if it were a number of ints; it is a number of bytes.
//   The block gets a quarter of the shared memory that it uses, and most bins lie beyond the end of it. Few bins
//   may still seem to work, as shared memory is handed out in larger pieces; with many bins the kernel should
//   stop with an error (an access out of range), and counts is not right.
// want: In which unit is the shared memory size of a launch? Say how many bytes the copy has for 4096 bins.

#include "histogram.h"

#define BLOCK_SIZE 256

// Adds up how often each value occurs in the elements of this block.
__global__ void histogram_kernel(const int* input, int* counts, int length, int bins) {
  extern __shared__ int copy[];
  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    copy[b] = 0;
  }
  __syncthreads();

  for (int i = blockIdx.x * BLOCK_SIZE + threadIdx.x; i < length; i += BLOCK_SIZE * gridDim.x) {
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

  // every copy should pay, also for many bins
  const int per_block = bins * 16 > 4096 ? bins * 16 : 4096;
  int blocks = (length + per_block - 1) / per_block;
  if (blocks == 0) {
    blocks = 1;
  }
  histogram_kernel<<<blocks, BLOCK_SIZE, bins>>>(input, counts, length, bins);
}
