// SPDX-License-Identifier: Apache-2.0
// mistake: (cost) Each thread counts a run of 64 or more neighbouring elements, like a CPU thread. In each step, the
//   32 threads of a warp load elements that are 256 bytes or more apart: 32 sectors per 32 elements, where 5 are
//   allowed. The counts are right. Shows for every long input.
// want: Write down the addresses that threads 0, 1 and 2 load in their first step. How many sectors does the warp
//   fetch in that step, and how many of their bytes does it use?

#include "histogram.h"

#define BLOCK_SIZE 256

__global__ void histogram_kernel(const int* input, int* counts, int length, int bins, int chunk) {
  __shared__ int copy[4096];

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE)
    copy[b] = 0;
  __syncthreads();

  // Every thread works through its own chunk of the array, from begin to end (good for the cache).
  const int thread = blockIdx.x * BLOCK_SIZE + threadIdx.x;
  const long long begin = (long long)thread * chunk;
  const long long end = begin + chunk < length ? begin + chunk : length;
  for (long long i = begin; i < end; i++)
    atomicAdd(&copy[input[i]], 1);

  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE)
    atomicAdd(&counts[b], copy[b]);
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));
  if (length == 0)
    return;

  // more bins => longer chunks, so that there are fewer copies
  const int chunk = bins / 16 > 64 ? bins / 16 : 64;
  const int per_block = chunk * BLOCK_SIZE;
  const int blocks = (length + per_block - 1) / per_block;
  histogram_kernel<<<blocks, BLOCK_SIZE>>>(input, counts, length, bins, chunk);
}
