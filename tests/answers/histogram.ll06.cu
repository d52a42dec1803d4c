// SPDX-License-Identifier: Apache-2.0
// mistake: A block keeps four copies in dynamic shared memory: 16 x bins bytes. For more than 3072 bins, that is more
//   than the 48 KiB a launch gets without cudaFuncSetAttribute(..., cudaFuncAttributeMaxDynamicSharedMemorySize, ...).
//   The launch fails with an error that nobody reads, and all counts stay 0. Shows for bins of 3073 to 4096.
// want: Call cudaGetLastError() after the launch with 4096 bins: what does it say? How many bytes do you ask for, and
//   how many does a block get without further steps? Are four copies worth it there?

#include "histogram.h"

#define BLOCK_SIZE 512
#define COPIES 4

// Four copies per block, so that fewer threads collide when most elements are equal. Warp w counts in copy w % 4.
__global__ void histogram_kernel(const int* input, int* counts, int length, int bins, int per_block) {
  extern __shared__ int copies[];
  for (int b = threadIdx.x; b < COPIES * bins; b += BLOCK_SIZE) {
    copies[b] = 0;
  }
  __syncthreads();

  int* mine = copies + (threadIdx.x / 32) % COPIES * bins;
  const int first = blockIdx.x * per_block;
  const int count = min(per_block, length - first);
  for (int k = threadIdx.x; k < count; k += BLOCK_SIZE) {
    atomicAdd(&mine[input[first + k]], 1);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    int sum = 0;
    for (int c = 0; c < COPIES; ++c) {
      sum += copies[c * bins + b];
    }
    if (sum != 0) {
      atomicAdd(&counts[b], sum);
    }
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));
  if (length == 0) {
    return;
  }
  const int per_block = bins < 1024 ? 16384 : 16 * bins;
  const int blocks = (length + per_block - 1) / per_block;
  histogram_kernel<<<blocks, BLOCK_SIZE, COPIES * bins * sizeof(int)>>>(input, counts, length, bins, per_block);
}
