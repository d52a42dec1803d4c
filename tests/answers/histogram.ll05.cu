// SPDX-License-Identifier: Apache-2.0
// mistake: There is no barrier between setting the copy to 0 and counting in it. A fast warp counts in bins that
//   another warp has not yet set to 0: the count is then added to whatever was in shared memory, or is set back to 0.
//   A race at nearly every length and number of bins (whenever another warp clears the bin); worst with many bins.
// want: Thread 0 sets bin 0 to 0. Thread 200 loads an element of bin 0 as its first. What makes sure that it counts
//   only after thread 0 has written the 0?

#include "histogram.h"

#define BLOCK_SIZE 256

__global__ void histogram_kernel(const int* input, int* counts, int length, int bins, int per_thread) {
  __shared__ int copy[4096];
  const int t = threadIdx.x;

  // clear
  for (int b = t; b < bins; b += BLOCK_SIZE) copy[b] = 0;

  // count: neighbouring threads take neighbouring elements
  int i = blockIdx.x * BLOCK_SIZE * per_thread + t;
  for (int k = 0; k < per_thread && i < length; ++k) {
    atomicAdd(&copy[input[i]], 1);
    i += BLOCK_SIZE;
  }

  // all of the block must have counted before we add
  __syncthreads();
  for (int b = t; b < bins; b += BLOCK_SIZE) atomicAdd(&counts[b], copy[b]);
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));
  if (length > 0) {
    const int per_thread = 32 + bins / 16;
    const int per_block = BLOCK_SIZE * per_thread;
    histogram_kernel<<<(length + per_block - 1) / per_block, BLOCK_SIZE>>>(input, counts, length, bins, per_thread);
  }
}
