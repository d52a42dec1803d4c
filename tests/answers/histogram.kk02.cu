// SPDX-License-Identifier: Apache-2.0
// mistake: The last length % 4 elements, which do not fill an int4, are counted by every block, not by one. counts is
//   too high by (blocks - 1) for each of them. Right if length is a multiple of 4 or if there is only one block.
// want: With length 262,147, which threads count element 262,146? How many of the blocks have a thread 2?

#include "histogram.h"

constexpr int kThreads = 256;

__global__ void count_vec4(const int4* __restrict__ input4, const int* __restrict__ input, int* __restrict__ counts,
                           int length, int bins) {
  extern __shared__ int local[];
  for (int b = threadIdx.x; b < bins; b += blockDim.x) local[b] = 0;
  __syncthreads();

  const int vectors = length / 4;
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < vectors; v += gridDim.x * blockDim.x) {
    const int4 four = input4[v];
    atomicAdd(&local[four.x], 1);
    atomicAdd(&local[four.y], 1);
    atomicAdd(&local[four.z], 1);
    atomicAdd(&local[four.w], 1);
  }
  // the remainder: 0 to 3 elements
  const int rest = length - 4 * vectors;
  if (threadIdx.x < rest) {
    atomicAdd(&local[input[4 * vectors + threadIdx.x]], 1);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += blockDim.x) {
    if (local[b] > 0) atomicAdd(counts + b, local[b]);
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));
  // 16 elements per bin and block at least, and never fewer than 4096
  int per_block = 16 * bins;
  if (per_block < 4096) per_block = 4096;
  const int blocks = length / per_block + 1;
  count_vec4<<<blocks, kThreads, bins * sizeof(int)>>>(reinterpret_cast<const int4*>(input), input, counts, length,
                                                       bins);
}
