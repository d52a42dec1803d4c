// SPDX-License-Identifier: Apache-2.0
// mistake: (cost) With more than 1024 bins, the old kernel of the starter runs: one atomic addition in global memory
//   per element, where length / 8 + 4 x bins are allowed. The counts are right. Shows for a long input of 1025 to
//   4096 bins.
// want: How many bytes does a copy of 4096 bins take, and how much shared memory may a block declare? What would a
//   block have to do more of, so that even such a large copy pays?

#include "histogram.h"

#define BLOCK_SIZE 256
#define MAX_SHARED_BINS 1024
#define PER_BLOCK 16384

// for few bins
__global__ void histogram_shared(const int* input, int* counts, int length, int bins) {
  __shared__ int copy[MAX_SHARED_BINS];
  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    copy[b] = 0;
  }
  __syncthreads();

  const int first = blockIdx.x * PER_BLOCK;
  const int count = min(PER_BLOCK, length - first);
  for (int k = threadIdx.x; k < count; k += BLOCK_SIZE) {
    atomicAdd(&copy[input[first + k]], 1);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    atomicAdd(&counts[b], copy[b]);
  }
}

// for many bins: the copy would be too big, and collisions are rare anyway
__global__ void histogram_global(const int* input, int* counts, int length) {
  const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
  if (i < length) {
    atomicAdd(&counts[input[i]], 1);
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));
  if (length == 0) return;

  if (bins <= MAX_SHARED_BINS) {
    const int blocks = (length + PER_BLOCK - 1) / PER_BLOCK;
    histogram_shared<<<blocks, BLOCK_SIZE>>>(input, counts, length, bins);
  } else {
    const int blocks = (length + BLOCK_SIZE - 1) / BLOCK_SIZE;
    histogram_global<<<blocks, BLOCK_SIZE>>>(input, counts, length);
  }
}
