// SPDX-License-Identifier: Apache-2.0
// mistake: cudaMemset is gone; every block sets counts to 0 at its start, next to its copy, and the student counts
//   on __syncthreads() to hold all blocks until counts is clear. It holds only the threads of one block: a block
//   that starts later, or is slower, sets bins to 0 to which others have already added. With few blocks, which
//   all start together, it may come out right by luck.
// want: Which threads does __syncthreads() wait for? What does a block that starts when others have finished do to
//   counts?

#include "histogram.h"

#define BLOCK_SIZE 128

// Adds up how often each value occurs in the elements of this block.
__global__ void histogram_kernel(const int* input, int* counts, int length, int bins, int n) {
  __shared__ int s[4096];
  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    s[b] = 0;
    counts[b] = 0;
  }
  __syncthreads();

  for (int k = threadIdx.x; k < n; k += BLOCK_SIZE) {
    const int i = blockIdx.x * n + k;
    if (i < length) {
      atomicAdd(&s[input[i]], 1);
    }
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    if (s[b] != 0) atomicAdd(&counts[b], s[b]);
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  const int n = 20 * bins > 4096 ? 20 * bins : 4096;
  int blocks = (length + n - 1) / n;
  if (blocks < 1) blocks = 1;  // counts must be cleared for length 0, too
  histogram_kernel<<<blocks, BLOCK_SIZE>>>(input, counts, length, bins, n);
}
