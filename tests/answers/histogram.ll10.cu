// SPDX-License-Identifier: Apache-2.0
// mistake: (cost) A block always counts 8192 elements, however many bins there are. It adds all bins of its copy to
//   counts: bins / 8192 atomic additions per element, which is length / 2 for 4096 bins, where length / 8 + 4 x bins
//   are allowed. The counts are right. Shows for long inputs of clearly more than 1024 bins (from about 1500 on).
// want: How many atomic additions in global memory does one block do with 4096 bins, and for how many elements? What
//   should the number of elements per block depend on?

#include "histogram.h"

constexpr int kThreads = 256;
constexpr int kPerThread = 32;
constexpr int kPerBlock = kThreads * kPerThread;
constexpr int kMaxBins = 4096;

__global__ void count_block(const int* input, int* counts, int length, int bins) {
  __shared__ int copy[kMaxBins];
  for (int b = threadIdx.x; b < bins; b += kThreads) copy[b] = 0;
  __syncthreads();

  const int start = blockIdx.x * kPerBlock + threadIdx.x;
#pragma unroll 8
  for (int k = 0; k < kPerThread; ++k) {
    const int i = start + k * kThreads;
    if (i < length) atomicAdd(&copy[input[i]], 1);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += kThreads) atomicAdd(&counts[b], copy[b]);
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));
  if (length <= 0) return;
  // 32 elements per thread: the copy is worth it
  count_block<<<(length + kPerBlock - 1) / kPerBlock, kThreads>>>(input, counts, length, bins);
}
