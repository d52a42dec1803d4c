// SPDX-License-Identifier: Apache-2.0
// mistake: A block counts 4096 elements, however many bins there are. The student made the size of the copy fit
//   bins, and hopes that leaving out bins with 0 makes the additions few. counts is right, but from about 550
//   bins on, evenly filled, too few bins of a copy are 0: for 4096 bins a block makes about 2600 additions for
//   its 4096 elements, where one per 8 elements (and 4 per bin in all) is allowed.
// want: A block with 4096 bins counts 4096 elements, evenly spread: how many additions does it save over none at
//   all in shared memory? How many elements should a block count so that it is fewer than one in 8?

#include "histogram.h"

constexpr int kBlock = 256;
constexpr int kPerThread = 16;
constexpr int kTile = kBlock * kPerThread;

template <int CAPACITY>
__global__ void histogram_kernel(const int* input, int* counts, int length, int bins) {
  __shared__ int mine[CAPACITY];
  for (int b = threadIdx.x; b < CAPACITY; b += kBlock) {
    mine[b] = 0;
  }
  __syncthreads();

#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int i = blockIdx.x * kTile + k * kBlock + threadIdx.x;
    if (i < length) {
      atomicAdd(&mine[input[i]], 1);
    }
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += kBlock) {
    if (mine[b] != 0) {
      atomicAdd(&counts[b], mine[b]);
    }
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));
  const int blocks = (length + kTile - 1) / kTile;
  if (blocks == 0) {
    return;
  }
  if (bins <= 256) {
    histogram_kernel<256><<<blocks, kBlock>>>(input, counts, length, bins);
  } else if (bins <= 1024) {
    histogram_kernel<1024><<<blocks, kBlock>>>(input, counts, length, bins);
  } else {
    histogram_kernel<4096><<<blocks, kBlock>>>(input, counts, length, bins);
  }
}
