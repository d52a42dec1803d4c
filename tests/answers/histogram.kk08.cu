// SPDX-License-Identifier: Apache-2.0
// mistake: Block 0 sets counts to 0 in the kernel that also adds to it. __syncthreads() makes only block 0 wait:
//   another block may add its copy before block 0 clears counts, and what it added is lost (or it adds to what was
//   there). Shows with more than one block, depending on which block runs when.
// want: Which threads wait at your first __syncthreads()? Can block 5 be done before block 0 has begun? What is sure
//   to happen before any block of a kernel starts?

#include "histogram.h"

#define BLOCK_SIZE 256
#define MAX_BINS 4096

__global__ void histogram_kernel(const int* input, int* counts, int length, int bins, int per_block) {
  __shared__ int copy[MAX_BINS];

  // Set everything to 0: the copy, and once also the result. This saves the extra cudaMemset.
  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    copy[b] = 0;
    if (blockIdx.x == 0) {
      counts[b] = 0;
    }
  }
  __syncthreads();

  for (int k = threadIdx.x; k < per_block; k += BLOCK_SIZE) {
    const int i = blockIdx.x * per_block + k;
    if (i < length) {
      atomicAdd(&copy[input[i]], 1);
    }
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    if (copy[b] > 0) {
      atomicAdd(&counts[b], copy[b]);
    }
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  int per_block = 16384;
  while (per_block < 16 * bins) per_block *= 2;
  int blocks = (length + per_block - 1) / per_block;
  if (blocks == 0) blocks = 1;  // block 0 must still clear counts
  histogram_kernel<<<blocks, BLOCK_SIZE>>>(input, counts, length, bins, per_block);
}
