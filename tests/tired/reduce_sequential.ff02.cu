// SPDX-License-Identifier: Apache-2.0
// mistake: in each step thread tx reads the elements 2 * tx and 2 * tx + 1. Lanes tx and tx + 16 are 32 words
//   apart, so that each of the two reads is a 2-way bank conflict for every full warp. The sums are right, the
//   two buffers that change places are, too, and the working threads are neighbours.
// want: Write down the words that lanes 0 and 16 read in your first step. In which banks do they lie?
#include "reduce_sequential.h"

__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ volatile float buffer[2][SEGMENT];  // volatile: other threads change it

  const int tx = threadIdx.x;
  const int i = blockIdx.x * SEGMENT + tx;

  int from = 0;
  buffer[from][tx] = i < n ? X[i] : 0.0f;
  __syncthreads();

  // 256 -> 128 -> 64 ... the working threads are always the first ones
#pragma unroll 1
  for (int left = SEGMENT / 2; left >= 1; left /= 2) {
    if (tx < left) {
      const float a = buffer[from][2 * tx];
      const float b = buffer[from][2 * tx + 1];
      buffer[1 - from][tx] = a + b;
    }
    __syncthreads();
    from = 1 - from;
  }

  if (tx == 0) sums[blockIdx.x] = buffer[from][0];
}

void reduce_sequential(const float* X, float* sums, int n) {
  reduce_kernel<<<(n + SEGMENT - 1) / SEGMENT, SEGMENT>>>(X, sums, n);
}
