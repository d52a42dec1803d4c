// SPDX-License-Identifier: Apache-2.0
// mistake: To keep the copy small, the bins are done in rounds of 2048, and each round is a launch that reads the
//   whole input again and skips the values of other rounds. counts is right, but above 2048 bins the input is
//   loaded twice: 8 sectors per 32 elements, where 5 are allowed.
// want: How often is each element loaded when there are 4096 bins? Would a copy of all 4096 ints fit in the
//   block's shared memory?

#include "histogram.h"

constexpr int kThreads = 256;
constexpr int kBlocks = 32;
constexpr int kRange = 2048;

// Counts the values from low to low + size - 1.
__global__ void range_kernel(const int* input, int* counts, int length, int low, int size) {
  __shared__ int copy[kRange];
  for (int b = threadIdx.x; b < size; b += kThreads) {
    copy[b] = 0;
  }
  __syncthreads();

  for (int i = blockIdx.x * kThreads + threadIdx.x; i < length; i += kBlocks * kThreads) {
    const int b = input[i] - low;
    if (b >= 0 && b < size) {
      atomicAdd(&copy[b], 1);
    }
  }
  __syncthreads();

  for (int b = threadIdx.x; b < size; b += kThreads) {
    atomicAdd(&counts[low + b], copy[b]);
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));
  for (int low = 0; low < bins; low += kRange) {
    const int size = bins - low < kRange ? bins - low : kRange;
    range_kernel<<<kBlocks, kThreads>>>(input, counts, length, low, size);
  }
}
