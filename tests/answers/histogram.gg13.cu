// SPDX-License-Identifier: Apache-2.0
// mistake: Two ways to loop are mixed up: the start is that of a loop over the whole grid (blockIdx.x * BLOCK_SIZE +
//   threadIdx.x), the step that of a loop within the block (BLOCK_SIZE), and the end is the end of the input.
//   Block k counts everything from element k * 256 on, so with several blocks most elements are counted many
//   times. Only inputs that need a single block come out right. (The loads grow in the same way.)
// want: For two blocks, write down which elements thread 0 of block 0 and thread 0 of block 1 count. Which are on
//   both lists?

#include "histogram.h"

#define BLOCK_SIZE 256

// Adds up how often each value occurs in the elements of this block.
__global__ void histogram_kernel(const int* input, int* counts, int length, int bins) {
  __shared__ int copy[4096];
  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    copy[b] = 0;
  }
  __syncthreads();

  const int start = blockIdx.x * BLOCK_SIZE + threadIdx.x;
  for (int i = start; i < length; i += BLOCK_SIZE) {
    atomicAdd(&copy[input[i]], 1);
  }

  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    atomicAdd(&counts[b], copy[b]);
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));

  const int elements_per_block = max(16 * bins, 8192);
  const int blocks = max(1, (length + elements_per_block - 1) / elements_per_block);
  histogram_kernel<<<blocks, BLOCK_SIZE>>>(input, counts, length, bins);
}
