// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: with length 0 it returns before anything is stored, and *output keeps what it held. And the second
//   kernel, of one block, adds at most 256 of the partial sums: what lies beyond the first 256 * 2048 = 524288 elements
//   is lost. length 524289, all 1: the 257th partial sum, 1, is not added.
// want: What is in *output after a call with length 0? And how many partial sums are there with a million elements, how
//   many does finish() look at?
#include "coarsened_reduction.h"

#define B 256
#define SEG (B * 8)

__device__ float block_sum(float mine) {
  __shared__ float tree[B];
  tree[threadIdx.x] = mine;
  for (int s = B / 2; s; s /= 2) {
    __syncthreads();
    if (threadIdx.x < s) tree[threadIdx.x] += tree[threadIdx.x + s];
  }
  return tree[0];  // only thread 0 may use it
}

__global__ void collect(const float* input, float* partial, int length) {
  float sum = 0.0f;
  const int begin = blockIdx.x * SEG;
  const int end = begin + SEG < length ? begin + SEG : length;
  for (int i = begin + threadIdx.x; i < end; i += B) sum += input[i];

  sum = block_sum(sum);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

__global__ void finish(const float* partial, float* output, int count) {
  float sum = threadIdx.x < count ? partial[threadIdx.x] : 0.0f;
  sum = block_sum(sum);
  if (threadIdx.x == 0) *output = sum;
}

void coarsened_reduction(const float* input, float* output, int length) {
  if (length == 0) return;  // no blocks, no launch

  const int segments = (length + SEG - 1) / SEG;
  float* partial;
  cudaMalloc(&partial, segments * sizeof(float));
  collect<<<segments, B>>>(input, partial, length);
  finish<<<1, B>>>(partial, output, segments);
  cudaFree(partial);
}
