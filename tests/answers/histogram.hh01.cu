// SPDX-License-Identifier: Apache-2.0
// mistake: __shared__ is missing before the copy, so each thread has an array of its own (16 KiB of local memory
//   per thread). A thread sets only every 256th int of its array to 0, counts its own elements in it, and at the
//   end adds only bins threadIdx.x, threadIdx.x + 256, ... of it: everything it counted in other bins is lost.
//   The student takes an array in the kernel for the block's. (First there was an atomicAdd; the compiler warned
//   "Cannot do atomic on local memory", and the student took the atomic away and not the cause.)
// want: How many arrays named copy are there in a block of 256 threads? What makes it one array for the block?

#include "histogram.h"

#define BLOCK_SIZE 256
#define MAX_BINS 4096

// Adds up how often each value occurs in the elements of this block.
__global__ void histogram_kernel(const int* input, int* counts, int length, int bins) {
  // the block's copy
  int copy[MAX_BINS];
  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    copy[b] = 0;
  }
  __syncthreads();

  const int total_threads = gridDim.x * BLOCK_SIZE;
  for (int i = blockIdx.x * BLOCK_SIZE + threadIdx.x; i < length; i += total_threads) {
    copy[input[i]]++;
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    atomicAdd(&counts[b], copy[b]);
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));
  histogram_kernel<<<32, BLOCK_SIZE>>>(input, counts, length, bins);
}
