// SPDX-License-Identifier: Apache-2.0
// mistake: *output is set to 0 by the first thread of block 0, in the kernel that adds to it. The barrier behind
//   it holds for block 0 only; other blocks may have added before, and lose their sums, or add to what was there
//   before the call. Right for up to 2048 elements, one block; with 4096 a race.
// want: Whom does __syncthreads() keep waiting? Let block 1 run before block 0: what happens to its sum?
#include "coarsened_reduction.h"

#define THREADS 256
#define EACH 8

__global__ void sum_kernel(const float* input, float* output, int length) {
  const int t = threadIdx.x;

  // no cudaMemset needed: the first thread clears the result, everybody waits for that
  if (blockIdx.x == 0 && t == 0) *output = 0.0f;
  __syncthreads();

  const int begin = blockIdx.x * THREADS * EACH;
  const int end = min(begin + THREADS * EACH, length);
  float sum = 0.0f;
  for (int i = begin + t; i < end; i += THREADS) sum += input[i];

  for (int offset = 16; offset >= 1; offset /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  }
  if (t % 32 == 0) atomicAdd(output, sum);  // once a warp, 256 elements
}

void coarsened_reduction(const float* input, float* output, int length) {
  int blocks = (length + THREADS * EACH - 1) / (THREADS * EACH);
  if (blocks == 0) blocks = 1;  // it stores the 0
  sum_kernel<<<blocks, THREADS>>>(input, output, length);
}
