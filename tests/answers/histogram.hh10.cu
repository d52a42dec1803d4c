// SPDX-License-Identifier: Apache-2.0
// mistake: A thread keeps its last value and how often it came in a row in registers, and adds to the copy only
//   when the value changes. After the loop, the last run is never added: each thread that had elements loses its
//   last value (with one element per thread, or if all elements are equal, everything is lost: counts is 0).
// want: Follow one thread that gets the values 3, 3, 3. When does it add them to the copy?

#include "histogram.h"

constexpr int kThreads = 256;
constexpr int kMaxBlocks = 32;

__global__ void histogram_kernel(const int* input, int* counts, int length, int bins) {
  __shared__ int copy[4096];
  for (int b = threadIdx.x; b < bins; b += kThreads) {
    copy[b] = 0;
  }
  __syncthreads();

  // Neighbouring values are often equal, so collect them before the atomic.
  int previous = -1;
  int run = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < length; i += gridDim.x * kThreads) {
    const int value = input[i];
    if (value == previous) {
      ++run;
    } else {
      if (run > 0) {
        atomicAdd(&copy[previous], run);
      }
      previous = value;
      run = 1;
    }
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += kThreads) {
    atomicAdd(&counts[b], copy[b]);
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));
  int blocks = (length + kThreads - 1) / kThreads;
  if (blocks > kMaxBlocks) blocks = kMaxBlocks;
  if (blocks == 0) return;
  histogram_kernel<<<blocks, kThreads>>>(input, counts, length, bins);
}
