// SPDX-License-Identifier: Apache-2.0
// mistake: Each of the 8 warps has a copy of its own, to have fewer collisions. That takes 8 x bins ints of
//   shared memory: from 1537 bins on more than the 48 KiB that a launch may ask for without further ado (131,072
//   bytes for 4096 bins). The launch fails, its error is not looked at, and counts stays 0.
// want: How many bytes of shared memory does the launch ask for with 4096 bins, and what is the limit? Look at
//   what cudaGetLastError() says after that launch.

#include "histogram.h"

constexpr int kWarps = 8;
constexpr int kThreads = 32 * kWarps;

__global__ void histogram_kernel(const int* input, int* counts, int length, int bins) {
  extern __shared__ int copies[];
  for (int k = threadIdx.x; k < kWarps * bins; k += kThreads) {
    copies[k] = 0;
  }
  __syncthreads();

  int* my_copy = copies + (threadIdx.x / 32) * bins;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < length; i += gridDim.x * kThreads) {
    atomicAdd(&my_copy[input[i]], 1);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += kThreads) {
    int sum = 0;
    for (int w = 0; w < kWarps; ++w) {
      sum += copies[w * bins + b];
    }
    if (sum != 0) {
      atomicAdd(&counts[b], sum);
    }
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));
  const int blocks = 32;
  histogram_kernel<<<blocks, kThreads, kWarps * bins * sizeof(int)>>>(input, counts, length, bins);
}
