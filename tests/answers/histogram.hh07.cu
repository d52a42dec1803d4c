// SPDX-License-Identifier: Apache-2.0
// mistake: Two. (1) The first kernel stores the block's bin b at parts[b * BLOCKS + blockIdx.x], the second reads
//   it at parts[p * bins + b], as if each block's bins lay together. All numbers are there, but are added up for
//   the wrong bins (only with one bin it does not matter). (2) The second kernel is launched with one block of
//   bins threads: above 1024 bins that is an invalid launch, nobody looks at the error, and counts is not written.
// want: Where does block 2 store its bin 5, and where does the second kernel look for it? (Then: how many threads
//   may a block have, and how many bins?)

#include "histogram.h"

#define BLOCK_SIZE 256
#define BLOCKS 32

__global__ void count_kernel(const int* input, int* parts, int length, int bins) {
  __shared__ int hist[4096];
  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    hist[b] = 0;
  }
  __syncthreads();
  for (int i = blockIdx.x * BLOCK_SIZE + threadIdx.x; i < length; i += BLOCKS * BLOCK_SIZE) {
    atomicAdd(&hist[input[i]], 1);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    parts[b * BLOCKS + blockIdx.x] = hist[b];
  }
}

// One thread per bin.
__global__ void sum_kernel(const int* parts, int* counts, int bins) {
  const int b = threadIdx.x;
  int sum = 0;
  for (int p = 0; p < BLOCKS; p++) {
    sum += parts[p * bins + b];
  }
  counts[b] = sum;
}

void histogram(const int* input, int* counts, int length, int bins) {
  int* parts = nullptr;
  cudaMalloc((void**)&parts, sizeof(int) * BLOCKS * bins);
  count_kernel<<<BLOCKS, BLOCK_SIZE>>>(input, parts, length, bins);
  sum_kernel<<<1, bins>>>(parts, counts, bins);
  cudaDeviceSynchronize();
  cudaFree(parts);
}
