// SPDX-License-Identifier: Apache-2.0
// mistake: Each thread counts a run of neighbouring elements of its own, as one would share the work out among
//   threads of a CPU. counts is right, but in each step the 32 threads of a warp load from places 128 bytes or
//   more apart: 32 sectors per 32 elements, where at most 5 are allowed.
// want: Write down the indices that threads 0, 1 and 2 load in the first step. In each step a warp should load 32
//   neighbouring elements, so which element should a thread take next?

#include "histogram.h"

#include <algorithm>

#define BLOCK_SIZE 256

__global__ void histogram_kernel(const int* input, int* counts, int length, int bins, int per_thread) {
  __shared__ int copy[4096];
  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    copy[b] = 0;
  }
  __syncthreads();

  const int begin = (blockIdx.x * BLOCK_SIZE + threadIdx.x) * per_thread;
  const int end = min(begin + per_thread, length);
  for (int i = begin; i < end; ++i) {
    atomicAdd(&copy[input[i]], 1);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    atomicAdd(&counts[b], copy[b]);
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));
  if (length == 0) return;

  // 16 elements per bin and block, but 32 per thread or more
  const int per_thread = std::max(32, (16 * bins + BLOCK_SIZE - 1) / BLOCK_SIZE);
  const int per_block = per_thread * BLOCK_SIZE;
  const int blocks = (length + per_block - 1) / per_block;
  histogram_kernel<<<blocks, BLOCK_SIZE>>>(input, counts, length, bins, per_thread);
}
