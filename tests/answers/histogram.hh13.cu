// SPDX-License-Identifier: Apache-2.0
// mistake: counts is to be set to 0 by copying an array of zeros from the host, but the direction is given as
//   cudaMemcpyDeviceToHost. That does not fit the pointers; the call returns an error (or does something
//   undefined), which nobody looks at, and the kernel adds to whatever was in counts before.
// want: From where to where does your cudaMemcpy copy, and what does it return? There is also a call that sets
//   device memory to 0 without an array on the host.

#include "histogram.h"

#include <vector>

#define BLOCK_SIZE 256

__global__ void histogram_kernel(const int* input, int* counts, int length, int bins, int elements) {
  __shared__ int copy[4096];
  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    copy[b] = 0;
  }
  __syncthreads();

  const int offset = blockIdx.x * elements;
  for (int e = threadIdx.x; e < elements && offset + e < length; e += BLOCK_SIZE) {
    atomicAdd(&copy[input[offset + e]], 1);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    atomicAdd(&counts[b], copy[b]);
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  std::vector<int> zeros(bins, 0);
  cudaMemcpy(counts, zeros.data(), bins * sizeof(int), cudaMemcpyDeviceToHost);

  if (length > 0) {
    const int elements = bins <= 256 ? 4096 : 16 * bins;
    const int blocks = (length + elements - 1) / elements;
    histogram_kernel<<<blocks, BLOCK_SIZE>>>(input, counts, length, bins, elements);
  }
}
