// SPDX-License-Identifier: Apache-2.0
// mistake: Two. (1) The copy is added with `counts[b] += hist[b]`. The student reasons that after the barrier each
//   bin has exactly one thread; true within a block, but every block has such a thread, so the blocks overwrite
//   each other's sums. (2) A block counts 1024 elements, whatever bins is. With more than about 128 bins that
//   makes too many stores: for 4096 bins and 1,048,576 elements 1024 x 4096, where 147,456 are allowed.
// want: How many threads of the whole grid write to counts[0]? Then count how many additions your blocks make
//   together when there are 4096 bins.

#include "histogram.h"

#define BLOCK_SIZE 256
#define COARSE 4

__global__ void histogram_kernel(const int* input, int* counts, int length, int bins) {
  extern __shared__ int hist[];

  for (int b = threadIdx.x; b < bins; b += blockDim.x)
    hist[b] = 0;
  __syncthreads();

  const int start = blockIdx.x * BLOCK_SIZE * COARSE;
  for (int c = 0; c < COARSE; c++) {
    const int i = start + c * BLOCK_SIZE + threadIdx.x;
    if (i < length)
      atomicAdd(&hist[input[i]], 1);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += blockDim.x)
    counts[b] += hist[b];
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));

  const int blocks = (length + BLOCK_SIZE * COARSE - 1) / (BLOCK_SIZE * COARSE);
  if (blocks > 0)
    histogram_kernel<<<blocks, BLOCK_SIZE, bins * sizeof(int)>>>(input, counts, length, bins);
}
