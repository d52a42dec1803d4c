// SPDX-License-Identifier: Apache-2.0
// mistake: Above 1024 bins the student gives up on the copy (believing a copy with more ints than a block has
//   threads does not fit) and uses the starter's kernel. counts is right, but there every element costs an atomic
//   addition in global memory: length additions, where length / 8 + 4 x bins are allowed.
// want: How many bytes does a copy for 4096 bins take, and how many bytes of shared memory may a block have? Your
//   loops over the bins already do not need a thread per bin.

#include "histogram.h"

#define BLOCK_SIZE 256
#define SHARED_BINS 1024

__global__ void histogram_shared(const int* input, int* counts, int length, int bins) {
  __shared__ int copy[SHARED_BINS];
  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    copy[b] = 0;
  }
  __syncthreads();

  for (int i = blockIdx.x * BLOCK_SIZE + threadIdx.x; i < length; i += gridDim.x * BLOCK_SIZE) {
    atomicAdd(&copy[input[i]], 1);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    atomicAdd(&counts[b], copy[b]);
  }
}

__global__ void histogram_global(const int* input, int* counts, int length) {
  const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
  if (i < length) {
    atomicAdd(&counts[input[i]], 1);
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));
  if (length == 0) {
    return;
  }
  if (bins <= SHARED_BINS) {
    histogram_shared<<<32, BLOCK_SIZE>>>(input, counts, length, bins);
  } else {
    const int blocks = (length + BLOCK_SIZE - 1) / BLOCK_SIZE;
    histogram_global<<<blocks, BLOCK_SIZE>>>(input, counts, length);
  }
}
