// SPDX-License-Identifier: Apache-2.0
// differs: lanes of a warp that hold the same value find each other (__match_any_sync), and one of them adds for all.
// One block for each multiprocessor at most, of 1024 threads; the kernel clears counts in a launch of its own.

#include "histogram.h"

__global__ void clear(int* counts, int bins) {
  const int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b < bins) counts[b] = 0;
}

__global__ void count(const int* input, int* counts, int length, int bins) {
  extern __shared__ unsigned copy[];
  for (int b = threadIdx.x; b < bins; b += 1024) copy[b] = 0u;
  __syncthreads();

  // All lanes of a warp make the same number of steps, those without an element with the value -1.
  for (int first = blockIdx.x * 1024; first < length; first += gridDim.x * 1024) {
    const int i = first + threadIdx.x;
    const int value = i < length ? input[i] : -1;
    const unsigned same = __match_any_sync(0xffffffffu, value);
    const bool leads = (threadIdx.x & 31) == __ffs(same) - 1;
    if (leads && value >= 0) atomicAdd(&copy[value], __popc(same));
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += 1024)
    if (copy[b]) atomicAdd(reinterpret_cast<unsigned*>(counts) + b, copy[b]);
}

void histogram(const int* input, int* counts, int length, int bins) {
  clear<<<(bins + 255) / 256, 256>>>(counts, bins);
  if (length == 0) return;
  int device = 0, multiprocessors = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  long long blocks = multiprocessors;
  if (blocks * 8 * bins > length) blocks = length / (8LL * bins);
  if (blocks < 1) blocks = 1;
  count<<<static_cast<unsigned>(blocks), 1024, bins * sizeof(unsigned)>>>(input, counts, length, bins);
}
