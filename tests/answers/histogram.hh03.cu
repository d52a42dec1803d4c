// SPDX-License-Identifier: Apache-2.0
// mistake: The loop that adds the copy was copied from the counting loop, with its start and step for the whole
//   grid. So each block adds only its part of the bins: block 0 bins 0 to 255, block 1 bins 256 to 511, and so on.
//   What a block counted in the other bins is lost; with up to 256 bins, only block 0's elements arrive. The
//   student sees bins as work to share among all blocks, but each block has a copy that no other can see.
// want: Block 1 has counted elements in bin 0. Which thread adds them to counts[0]?

#include "histogram.h"

#define BLOCK_SIZE 256
#define BLOCKS 32

__global__ void histogram_kernel(const int* input, int* counts, int length, int bins) {
  __shared__ int copy[4096];
  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    copy[b] = 0;
  }
  __syncthreads();

  const int first = blockIdx.x * BLOCK_SIZE + threadIdx.x;
  const int stride = BLOCKS * BLOCK_SIZE;

  for (int i = first; i < length; i += stride) {
    atomicAdd(&copy[input[i]], 1);
  }
  __syncthreads();

  for (int b = first; b < bins; b += stride) {
    atomicAdd(&counts[b], copy[b]);
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));
  histogram_kernel<<<BLOCKS, BLOCK_SIZE>>>(input, counts, length, bins);
}
