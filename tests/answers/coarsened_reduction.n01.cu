// SPDX-License-Identifier: Apache-2.0
// mistake: the array for the blocks' sums is allocated in the first call, for that call's length, and kept in a static
//   pointer: a later call with more blocks stores past its end.
// want: The first call has 10 elements, the second 100000: how many sums fit into `scratch` in the second call? What may a
//   function keep from call to call?
#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8

// out[b] = sum of block b's part of the input
__global__ void sums_of_parts(const float* in, float* out, int count, int per_block) {
  __shared__ float s[BLOCK_SIZE];
  const int t = threadIdx.x;
  const int begin = blockIdx.x * per_block;
  int end = begin + per_block;
  if (end > count) end = count;

  float sum = 0.0f;
  for (int i = begin + t; i < end; i += BLOCK_SIZE) {
    sum += in[i];
  }
  s[t] = sum;
  __syncthreads();

  for (int half = BLOCK_SIZE / 2; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

void coarsened_reduction(const float* input, float* output, int length) {
  static float* scratch = nullptr;

  const int per_block = BLOCK_SIZE * COARSE_FACTOR;
  const int blocks = (length + per_block - 1) / per_block;

  if (blocks > 0) {
    // cudaMalloc is slow, so only once
    if (scratch == nullptr) {
      cudaMalloc(&scratch, blocks * sizeof(float));
    }
    sums_of_parts<<<blocks, BLOCK_SIZE>>>(input, scratch, length, per_block);
  }
  // One block adds up what the others found. No atomics, and with no parts it stores 0.
  sums_of_parts<<<1, BLOCK_SIZE>>>(scratch, output, blocks, blocks);
}
