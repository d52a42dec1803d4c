// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the copy that should set counts to 0 names the other direction, and is refused.
#include <vector>

#include "histogram.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8

__global__ void histogram_kernel(const int* input, int* counts, int length, int bins) {
  extern __shared__ int copy[];

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    copy[b] = 0;
  }
  __syncthreads();

  for (int i = blockIdx.x * BLOCK_SIZE + threadIdx.x; i < length; i += gridDim.x * BLOCK_SIZE) {
    atomicAdd(&copy[input[i]], 1);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    if (copy[b] > 0) {
      atomicAdd(&counts[b], copy[b]);
    }
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  const std::vector<int> zeros(bins);
  cudaMemcpy(counts, zeros.data(), bins * sizeof(int), cudaMemcpyDeviceToHost);
  const int segment = COARSE_FACTOR * (bins > BLOCK_SIZE ? bins : BLOCK_SIZE);
  const int blocks = (length + segment - 1) / segment;
  if (blocks > 0) {
    histogram_kernel<<<blocks, BLOCK_SIZE, bins * sizeof(int)>>>(input, counts, length, bins);
  }
}
