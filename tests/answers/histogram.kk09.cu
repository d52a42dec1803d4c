// SPDX-License-Identifier: Apache-2.0
// mistake: The copy in shared memory is used only up to 1024 bins. With more, each element costs an atomic addition
//   in global memory again: `length` of them, where length / 8 + 4 x bins are allowed. Values are right.
// want: What limits the copy to 1024 bins? How many bytes do 4096 ints need? What do you pay per element with 2000
//   bins?

#include "histogram.h"

#define SMALL 1024

// For few bins: one thread per bin, a copy per block.
__global__ void histogram_shared(const int* input, int* counts, int length, int bins, int per_block) {
  __shared__ int copy[SMALL];
  copy[threadIdx.x] = 0;
  __syncthreads();

  const int begin = blockIdx.x * per_block, end = min(begin + per_block, length);
  for (int i = begin + threadIdx.x; i < end; i += SMALL) {
    atomicAdd(&copy[input[i]], 1);
  }
  __syncthreads();

  if (threadIdx.x < bins && copy[threadIdx.x] != 0) {
    atomicAdd(&counts[threadIdx.x], copy[threadIdx.x]);
  }
}

// For many bins there are few collisions, so plain atomics are good enough.
__global__ void histogram_global(const int* input, int* counts, int length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    atomicAdd(&counts[input[i]], 1);
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));
  if (length == 0) return;
  if (bins <= SMALL) {
    const int per_block = 16 * SMALL;  // a block has at least 16 elements per bin
    histogram_shared<<<(length + per_block - 1) / per_block, SMALL>>>(input, counts, length, bins, per_block);
  } else {
    histogram_global<<<(length + 255) / 256, 256>>>(input, counts, length);
  }
}
