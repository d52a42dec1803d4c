// SPDX-License-Identifier: Apache-2.0
// mistake: To do without atomics in shared memory, only thread 0 of each block counts; the others wait at the
//   barrier. counts is right, but each load is by a single thread, and takes a sector of 32 bytes for one element:
//   32 sectors per 32 elements, where 5 are allowed. And 255 of 256 threads have nothing to do while counting.
// want: How many elements does a warp load in one step here, and how many could it? Atomic additions in shared
//   memory are cheap, so let all threads of the block count.

#include "histogram.h"

#define BLOCK_SIZE 256

__global__ void histogram_kernel(const int* input, int* counts, int length, int bins, int per_block) {
  extern __shared__ int copy[];
  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    copy[b] = 0;
  }
  __syncthreads();

  if (threadIdx.x == 0) {
    const int start = blockIdx.x * per_block;
    for (int k = 0; k < per_block && start + k < length; k++) {
      copy[input[start + k]]++;
    }
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    atomicAdd(&counts[b], copy[b]);
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));

  const int per_block = 16 * bins > 4096 ? 16 * bins : 4096;
  const int blocks = (length + per_block - 1) / per_block;
  if (blocks > 0) {
    histogram_kernel<<<blocks, BLOCK_SIZE, bins * sizeof(int)>>>(input, counts, length, bins, per_block);
  }
}
