// SPDX-License-Identifier: Apache-2.0
// mistake: the number of blocks is always 128, whatever the length: 32768 threads, where length 65536 may have
//   65536 / 8 + 1024 = 9216 (two elements a thread, not eight). From length 253952 on it is within the bound; the values
//   are right everywhere.
// want: At length 65536, how many elements does each of your threads add up? What decides on that?
#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define BLOCKS 128

__device__ float warp_add(float v) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}

// Grid-stride: each thread takes every (BLOCKS * BLOCK_SIZE)th element, however many there are.
__global__ void sum_kernel(const float* input, float* output, int length) {
  __shared__ float of_warp[BLOCK_SIZE / 32];

  float sum = 0.0f;
  for (int i = blockIdx.x * BLOCK_SIZE + threadIdx.x; i < length; i += gridDim.x * BLOCK_SIZE) {
    sum += input[i];
  }

  sum = warp_add(sum);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();

  if (threadIdx.x == 0) {
    float total = 0.0f;
    for (int w = 0; w < BLOCK_SIZE / 32; ++w) total += of_warp[w];
    atomicAdd(output, total);
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  cudaMemset(output, 0, sizeof *output);
  // enough to fill the device; never 0, so a length of 0 is fine, too
  sum_kernel<<<BLOCKS, BLOCK_SIZE>>>(input, output, length);
}
