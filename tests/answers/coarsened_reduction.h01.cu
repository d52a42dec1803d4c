// SPDX-License-Identifier: Apache-2.0
// mistake: each thread adds up eight elements that are neighbours of each other; in each step the 32 lanes of a warp
//   load 32 bytes apart, each from a sector of its own, eight times the sectors that are needed.
// want: Your sum is right. In one step of the loop, which elements do lanes 0, 1 and 2 load, and how many sectors of
//   32 bytes does the warp touch for its 32 floats?

#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8

__device__ float warp_sum(float v) {
  for (int offset = 16; offset > 0; offset /= 2) {
    v += __shfl_down_sync(0xffffffffu, v, offset);
  }
  return v;
}

__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  __shared__ float warp_sums[BLOCK_SIZE / 32];

  const int t = threadIdx.x;
  const int first = (blockIdx.x * BLOCK_SIZE + t) * COARSE_FACTOR;

  float sum = 0.0f;
  for (int k = 0; k < COARSE_FACTOR; ++k) {
    if (first + k < length) sum += input[first + k];
  }

  sum = warp_sum(sum);
  if (t % 32 == 0) warp_sums[t / 32] = sum;
  __syncthreads();

  if (t < 32) {
    sum = t < BLOCK_SIZE / 32 ? warp_sums[t] : 0.0f;
    sum = warp_sum(sum);
    if (t == 0) atomicAdd(output, sum);
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  cudaMemset(output, 0, sizeof(float));
  if (length == 0) return;

  const int segment = BLOCK_SIZE * COARSE_FACTOR;
  const int segments = (length + segment - 1) / segment;
  coarsened_reduction_kernel<<<segments, BLOCK_SIZE>>>(input, output, length);
}
