// SPDX-License-Identifier: Apache-2.0
// mistake: Two counters of 16 bits share one int of the copy. A block counts up to 131,072 elements, so a bin with
//   more than 65,535 of them in one block overflows: in an even bin the carry lands in the odd neighbour, in an odd
//   bin it is lost. Shows with 2048 bins or more if most elements are equal, not if they are spread evenly.
// want: How many elements does one block count with 4096 bins? What is the largest number that 16 bits hold, and
//   where does the next atomicAdd of 1 go? Try an input whose elements are all the same.

#include "histogram.h"

#define BLOCK_SIZE 256

// Two bins per int: only 8 KB of shared memory instead of 16 KB, so twice as many blocks fit on an SM!
__global__ void histogram_kernel(const int* input, int* counts, int length, int bins, int per_block) {
  __shared__ unsigned int packed[2048];
  const int words = (bins + 1) / 2;
  for (int w = threadIdx.x; w < words; w += BLOCK_SIZE) packed[w] = 0;
  __syncthreads();

  const int begin = blockIdx.x * per_block;
  const int end = min(begin + per_block, length);
  for (int i = begin + threadIdx.x; i < end; i += BLOCK_SIZE) {
    const int value = input[i];
    atomicAdd(&packed[value >> 1], (value & 1) ? 0x10000u : 1u);  // odd bins are in the upper half
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    const unsigned int word = packed[b >> 1];
    const unsigned int count = (b & 1) ? word >> 16 : word & 0xffffu;
    if (count != 0) atomicAdd(&counts[b], (int)count);
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));
  if (length == 0) return;
  const int per_block = bins * 32 > 8192 ? bins * 32 : 8192;
  const int blocks = (length - 1) / per_block + 1;
  histogram_kernel<<<blocks, BLOCK_SIZE>>>(input, counts, length, bins, per_block);
}
