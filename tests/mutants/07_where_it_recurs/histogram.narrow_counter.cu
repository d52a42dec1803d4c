// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: two counters of 16 bits share a word.
#include "histogram.h"

#define BLOCK_SIZE 256
#define BLOCKS 8

__global__ void histogram_kernel(const int* input, int* counts, int length, int bins) {
  extern __shared__ unsigned pairs[];

  for (int p = threadIdx.x; p < (bins + 1) / 2; p += BLOCK_SIZE) {
    pairs[p] = 0;
  }
  __syncthreads();

  for (int i = blockIdx.x * BLOCK_SIZE + threadIdx.x; i < length; i += gridDim.x * BLOCK_SIZE) {
    atomicAdd(&pairs[input[i] / 2], input[i] % 2 == 0 ? 1u : 1u << 16);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    const unsigned count = pairs[b / 2] >> (b % 2 * 16) & 0xffff;
    if (count > 0) {
      atomicAdd(&counts[b], static_cast<int>(count));
    }
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));

  histogram_kernel<<<BLOCKS, BLOCK_SIZE, (bins + 1) / 2 * sizeof(unsigned)>>>(input, counts, length, bins);
}
