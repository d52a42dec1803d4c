// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: four counters of 8 bits share a word.
#include "histogram.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8

__global__ void histogram_kernel(const int* input, int* counts, int length, int bins) {
  extern __shared__ unsigned quads[];

  for (int q = threadIdx.x; q < (bins + 3) / 4; q += BLOCK_SIZE) {
    quads[q] = 0;
  }
  __syncthreads();

  for (int i = blockIdx.x * BLOCK_SIZE + threadIdx.x; i < length; i += gridDim.x * BLOCK_SIZE) {
    atomicAdd(&quads[input[i] / 4], 1u << (input[i] % 4 * 8));
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    const unsigned count = quads[b / 4] >> (b % 4 * 8) & 0xff;
    if (count > 0) {
      atomicAdd(&counts[b], static_cast<int>(count));
    }
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));

  const int segment = COARSE_FACTOR * (bins > BLOCK_SIZE ? bins : BLOCK_SIZE);
  const int blocks = (length + segment - 1) / segment;
  if (blocks > 0) {
    histogram_kernel<<<blocks, BLOCK_SIZE, (bins + 3) / 4 * sizeof(unsigned)>>>(input, counts, length, bins);
  }
}
