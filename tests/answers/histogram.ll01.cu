// SPDX-License-Identifier: Apache-2.0
// mistake: cudaMemset gets sizeof(counts) as its size. counts is a pointer, so that is 8 bytes: only counts[0] and
//   counts[1] are set to 0. All further counts keep what was in the memory before the call, and the blocks add to
//   it. Shows for bins of 3 or more as soon as counts is not 0 before the call (also for length 0). With 1 bin, the
//   memset writes past the end of counts.
// want: Print sizeof(counts) in histogram(). What is counts there, an array or a pointer? How many bytes do bins
//   ints take?

#include "histogram.h"

#define BLOCK_SIZE 256
#define MAX_BINS 4096

// Each block counts its part of the input in shared memory.
__global__ void histogram_kernel(const int* input, int* counts, int length, int bins, int per_block) {
  __shared__ int copy[MAX_BINS];

  // all bins to 0, there may be more than 256
  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    copy[b] = 0;
  }
  __syncthreads();

  const int first = blockIdx.x * per_block;
  const int n = min(per_block, length - first);
  for (int k = threadIdx.x; k < n; k += BLOCK_SIZE) {
    atomicAdd(&copy[input[first + k]], 1);
  }
  __syncthreads();

  // add our copy, but skip the empty bins
  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    if (copy[b] > 0) {
      atomicAdd(&counts[b], copy[b]);
    }
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, sizeof(counts));
  if (length == 0) return;

  int per_block = 16 * bins;
  if (per_block < 8192) per_block = 8192;
  const int blocks = (length + per_block - 1) / per_block;
  histogram_kernel<<<blocks, BLOCK_SIZE>>>(input, counts, length, bins, per_block);
}
