// SPDX-License-Identifier: Apache-2.0
// mistake: The input is read as int4, and the up to 3 elements after the last int4 are counted by the first threads
//   of every block, as the test has only threadIdx.x in it. With 32 blocks each of these elements counts 32 times.
//   Right only when length is a multiple of 4. (That input is aligned to 16 bytes is taken for granted.)
// want: How many threads of the whole grid count the last element when length is 5?

#include "histogram.h"

#define BLOCK_SIZE 256
#define BLOCKS 32

__global__ void histogram_kernel(const int* input, int* counts, int length, int bins) {
  __shared__ int copy[4096];
  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    copy[b] = 0;
  }
  __syncthreads();

  const int4* input4 = reinterpret_cast<const int4*>(input);
  const int length4 = length / 4;
  for (int i = blockIdx.x * BLOCK_SIZE + threadIdx.x; i < length4; i += BLOCKS * BLOCK_SIZE) {
    const int4 v = input4[i];
    atomicAdd(&copy[v.x], 1);
    atomicAdd(&copy[v.y], 1);
    atomicAdd(&copy[v.z], 1);
    atomicAdd(&copy[v.w], 1);
  }

  // the rest
  const int rest = length % 4;
  if (threadIdx.x < rest) {
    atomicAdd(&copy[input[length4 * 4 + threadIdx.x]], 1);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    atomicAdd(&counts[b], copy[b]);
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));
  histogram_kernel<<<BLOCKS, BLOCK_SIZE>>>(input, counts, length, bins);
}
