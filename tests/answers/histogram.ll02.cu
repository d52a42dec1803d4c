// SPDX-License-Identifier: Apache-2.0
// mistake: A block adds its copy with counts[b] += copy[b], not with an atomic addition. Within the block each bin has
//   one thread, but other blocks add to the same counts[b] at the same time: load, add and store of two blocks
//   overlap, and one block's counts are lost. Shows when more than one block runs: from about 16 x bins elements on.
// want: You are right that no two threads of a block add to the same bin here. Which threads outside the block add
//   to counts[b], and what happens if two of them read the same old value?

#include "histogram.h"

#define BLOCK_SIZE 512

__global__ void histogram_kernel(const int* input, int* counts, int length, int bins) {
  __shared__ int copy[4096];
  for (int b = threadIdx.x; b < bins; b += blockDim.x) {
    copy[b] = 0;
  }
  __syncthreads();

  // grid-stride loop
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < (unsigned)length; i += stride) {
    atomicAdd(&copy[input[i]], 1);
  }
  __syncthreads();

  // From here on each bin belongs to one thread, so the slow atomics are not needed any more.
  for (int b = threadIdx.x; b < bins; b += blockDim.x) {
    counts[b] += copy[b];
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));

  // at least 16 elements per bin of a copy; 512 blocks fill the GPU
  int blocks = length / (16 * bins) + 1;
  if (blocks > 512) blocks = 512;
  histogram_kernel<<<blocks, BLOCK_SIZE>>>(input, counts, length, bins);
}
