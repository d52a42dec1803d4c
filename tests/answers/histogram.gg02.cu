// SPDX-License-Identifier: Apache-2.0
// mistake: The three steps (clear, count, add) are three kernels, and the student expects the array in shared
//   memory to live from one launch to the next, because it has the same name and size. Shared memory lives only
//   as long as its block: count_kernel counts in uninitialised memory, add_kernel adds uninitialised memory to
//   counts, and what was counted is lost. (If the blocks of the three launches happen to get the same places, old
//   contents may look right; nothing promises that.)
// want: How long does a block's shared memory live, and which block of add_kernel would get which block's copy?
//   All three steps have to happen in the same kernel, with barriers between them.

#include "histogram.h"

constexpr int kThreads = 256;
constexpr int kBlocks = 32;

extern __shared__ int local_counts[];

__global__ void clear_kernel(int bins) {
  for (int b = threadIdx.x; b < bins; b += kThreads) {
    local_counts[b] = 0;
  }
}

__global__ void count_kernel(const int* input, int length) {
  const int stride = gridDim.x * kThreads;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < length; i += stride) {
    atomicAdd(&local_counts[input[i]], 1);
  }
}

__global__ void add_kernel(int* counts, int bins) {
  for (int b = threadIdx.x; b < bins; b += kThreads) {
    atomicAdd(&counts[b], local_counts[b]);
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));
  const size_t bytes = bins * sizeof(int);
  clear_kernel<<<kBlocks, kThreads, bytes>>>(bins);
  count_kernel<<<kBlocks, kThreads, bytes>>>(input, length);
  add_kernel<<<kBlocks, kThreads, bytes>>>(counts, bins);
}
