// SPDX-License-Identifier: Apache-2.0
// mistake: The buffer for the blocks' results is allocated once, in the first call, and kept in a static variable,
//   so that cudaMalloc is not paid each time. But its size is that of the first call's bins. A later call with
//   more bins writes and reads behind its end: an illegal access, or someone else's memory is overwritten, maybe
//   counts itself.
// want: Call histogram with 16 bins, then with 4096. How large is the buffer in the second call?

#include "histogram.h"

#define THREADS 256
#define BLOCKS 32

__global__ void count_part(const int* input, int* part, int length, int bins) {
  __shared__ int copy[4096];
  for (int b = threadIdx.x; b < bins; b += THREADS) {
    copy[b] = 0;
  }
  __syncthreads();
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < length; i += BLOCKS * THREADS) {
    atomicAdd(&copy[input[i]], 1);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += THREADS) {
    part[blockIdx.x * bins + b] = copy[b];
  }
}

__global__ void sum_parts(const int* part, int* counts, int bins) {
  const int b = blockIdx.x * THREADS + threadIdx.x;
  if (b < bins) {
    int sum = 0;
    for (int p = 0; p < BLOCKS; p++) {
      sum += part[p * bins + b];
    }
    counts[b] = sum;
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  static int* part = nullptr;
  if (part == nullptr) {
    cudaMalloc(&part, BLOCKS * bins * sizeof(int));
  }
  count_part<<<BLOCKS, THREADS>>>(input, part, length, bins);
  sum_parts<<<(bins + THREADS - 1) / THREADS, THREADS>>>(part, counts, bins);
}
