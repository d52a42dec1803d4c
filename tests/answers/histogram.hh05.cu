// SPDX-License-Identifier: Apache-2.0
// mistake: Two. (1) The number of finished blocks, a __device__ variable, is 0 when the program starts, but is never
//   set back: from the second call on, no block gets BLOCKS - 1 from atomicAdd, no block sums up, and counts is
//   not written at all. (2) There is no __threadfence() between a block's stores to partial and its addition to
//   finished: the last block may see the count but not yet the other blocks' stores. The barrier orders them for
//   the own block only.
// want: What is the value of finished when your function is called the second time? (Then: what tells the last
//   block that what the others stored in partial has arrived?)

#include "histogram.h"

#define BLOCK_SIZE 256
#define BLOCKS 32

__device__ int finished = 0;

__global__ void histogram_kernel(const int* input, int* partial, int* counts, int length, int bins) {
  __shared__ int copy[4096];
  __shared__ bool is_last;

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    copy[b] = 0;
  }
  __syncthreads();

  for (int i = blockIdx.x * BLOCK_SIZE + threadIdx.x; i < length; i += BLOCKS * BLOCK_SIZE) {
    atomicAdd(&copy[input[i]], 1);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    partial[blockIdx.x * bins + b] = copy[b];
  }
  __syncthreads();

  if (threadIdx.x == 0) {
    is_last = atomicAdd(&finished, 1) == BLOCKS - 1;
  }
  __syncthreads();

  // The last block puts everything together.
  if (is_last) {
    for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
      int total = 0;
      for (int k = 0; k < BLOCKS; k++) {
        total += partial[k * bins + b];
      }
      counts[b] = total;
    }
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  int* partial;
  cudaMalloc(&partial, BLOCKS * bins * sizeof(int));
  histogram_kernel<<<BLOCKS, BLOCK_SIZE>>>(input, partial, counts, length, bins);
  cudaFree(partial);
}
