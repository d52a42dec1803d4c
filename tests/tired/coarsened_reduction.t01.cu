// SPDX-License-Identifier: Apache-2.0
// mistake: the kernel itself sets *output to 0, in block 0, and the other blocks do not wait for that: what they have added
//   before is lost, and what they add before the store comes on top of the old value. A race from 2 blocks on (length
//   2049). With one block it is right, as the store stands before the barrier. One atomic for each warp, 8 for
//   2048 elements, is within the limit.
// want: block 5 has added its sum before block 0 runs its first line: what is in *output then? Which order between
//   blocks is certain?
#include "coarsened_reduction.h"

#define THREADS 256
#define EACH 8

__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  // no memset needed: the kernel begins with a clean output
  if (blockIdx.x == 0 && threadIdx.x == 0) *output = 0.0f;
  __syncthreads();

  const float* p = input + blockIdx.x * (THREADS * EACH);
  const int left = length - blockIdx.x * (THREADS * EACH);

  float sum = 0.0f;
#pragma unroll
  for (int e = 0; e < EACH; ++e) {
    const int k = e * THREADS + threadIdx.x;
    if (k < left) sum += p[k];
  }

  for (int d = 16; d >= 1; d >>= 1) sum += __shfl_down_sync(~0u, sum, d);

  // each warp brings its own sum
  if (threadIdx.x % 32 == 0) atomicAdd(output, sum);
}

void coarsened_reduction(const float* input, float* output, int length) {
  int blocks = (length + THREADS * EACH - 1) / (THREADS * EACH);
  if (blocks < 1) blocks = 1;  // stores the zero of an empty input
  coarsened_reduction_kernel<<<blocks, THREADS>>>(input, output, length);
}
