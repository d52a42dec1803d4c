// SPDX-License-Identifier: Apache-2.0
// differs: a thread keeps the value that it saw last and how often in registers, and adds to the copy only when the
// value changes. A two-dimensional block; the copy is static; segments of neighbours, one after another.

#include "histogram.h"

constexpr int kMostBins = 4096, kColumns = 32, kRows = 4, kThreads = kColumns * kRows;

__global__ void runs(const int* input, int* counts, int length, int bins, int segment) {
  __shared__ int copy[kMostBins];
  const int t = threadIdx.y * kColumns + threadIdx.x;
  for (int b = t; b < kMostBins; b += kThreads) copy[b] = 0;
  __syncthreads();

  const long long begin = static_cast<long long>(blockIdx.x) * segment;
  const long long end = begin + segment < length ? begin + segment : length;
  int last = -1, seen = 0;
  for (long long i = begin + t; i < end; i += kThreads) {
    const int value = __ldg(input + i);
    if (value == last) {
      ++seen;
    } else {
      if (seen > 0) atomicAdd(&copy[last], seen);
      last = value;
      seen = 1;
    }
  }
  if (seen > 0) atomicAdd(&copy[last], seen);
  __syncthreads();

  for (int b = t; b < bins; b += kThreads) atomicAdd(&counts[b], copy[b]);
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof *counts);
  const int segment = bins * 8 > 4096 ? bins * 8 : 4096;
  if (const int blocks = length / segment + (length % segment != 0)) {
    runs<<<blocks, dim3(kColumns, kRows)>>>(input, counts, length, bins, segment);
  }
}
