// SPDX-License-Identifier: Apache-2.0
// mistake: The last block to finish adds up all copies; a global counter tells which one is last. Nobody sets this
//   counter back to 0: from the second call on, no block sees 31, and counts keeps what it held before the call. The
//   first call in a program is right.
// want: What is the value of finished when your kernel has ended? What does the next call start with? Who can set it
//   back, and when?

#include "histogram.h"

#define BLOCK_SIZE 256
#define BLOCKS 32
#define MAX_BINS 4096

__device__ int partial[BLOCKS * MAX_BINS];
__device__ int finished = 0;

// No atomics in global memory except one per block: blocks store their copies, the last one adds them up.
__global__ void histogram_kernel(const int* input, int* counts, int length, int bins) {
  __shared__ int copy[MAX_BINS];
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
  __threadfence();
  __syncthreads();

  if (threadIdx.x == 0) {
    is_last = atomicAdd(&finished, 1) == BLOCKS - 1;
  }
  __syncthreads();

  if (is_last) {
    __threadfence();
    for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
      int sum = 0;
      for (int k = 0; k < BLOCKS; ++k) {
        sum += partial[k * bins + b];
      }
      counts[b] = sum;
    }
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  // no memset needed: every bin is stored
  histogram_kernel<<<BLOCKS, BLOCK_SIZE>>>(input, counts, length, bins);
}
