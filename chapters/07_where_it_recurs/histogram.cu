// SPDX-License-Identifier: Apache-2.0
//
// Chapter 7, where coarsening recurs. The kernel below is right, but every element costs an atomic addition
// in global memory. Let each block count in a copy of its own, in shared memory, and add the copy to counts
// at the end. A copy pays only if its block counts many elements. Four places are marked TODO.
//
//   ./warplings check histogram

#include "histogram.h"

#define BLOCK_SIZE 256

// Counts how often each value occurs among this block's elements, and adds that to counts.
__global__ void histogram_kernel(const int* input, int* counts, int length, int bins) {
  // TODO 1: declare the block's copy of counts in shared memory, and set all of it to 0. There may be more
  // bins than threads.

  // TODO 2: count in the copy, more than one element per thread. In each step, a warp should load
  // neighbouring elements.
  const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
  if (i < length) {
    atomicAdd(&counts[input[i]], 1);
  }

  // TODO 3: add the copy to counts. What must all threads have finished before that?
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));

  // TODO 4: how many elements should a block count, so that there are few copies even with many bins? A
  // launch of 0 blocks is an error: when would it happen?
  const int blocks = (length + BLOCK_SIZE - 1) / BLOCK_SIZE;
  histogram_kernel<<<blocks, BLOCK_SIZE>>>(input, counts, length, bins);
}
