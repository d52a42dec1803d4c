// SPDX-License-Identifier: Apache-2.0
// mistake: Two bins share an int, 16 bits each, to save shared memory. The student thinks of the number of bins
//   and not of how far a counter counts: only 8 blocks share the whole input, so with 524,288 elements in one bin
//   a block counts 65,536 in it. A full even bin carries 1 into the odd bin above it and starts at 0 again;
//   a full odd bin loses its carry.
// want: What is the largest number that one of your counters holds? How many elements can one of your 8 blocks
//   get, and what if they are all in the same bin?

#include "histogram.h"

#define BLOCK_SIZE 512
#define NUM_BLOCKS 8

__global__ void histogram_kernel(const int* input, int* counts, int length, int bins) {
  __shared__ unsigned int pairs[2048];
  for (int p = threadIdx.x; p < 2048; p += BLOCK_SIZE) {
    pairs[p] = 0u;
  }
  __syncthreads();

  for (int i = blockIdx.x * BLOCK_SIZE + threadIdx.x; i < length; i += NUM_BLOCKS * BLOCK_SIZE) {
    const int value = input[i];
    atomicAdd(&pairs[value >> 1], (value & 1) ? 0x10000u : 1u);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    const unsigned int pair = pairs[b >> 1];
    const int n = (b & 1) ? (pair >> 16) : (pair & 0xffffu);
    if (n > 0) {
      atomicAdd(&counts[b], n);
    }
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));
  histogram_kernel<<<NUM_BLOCKS, BLOCK_SIZE>>>(input, counts, length, bins);
}
