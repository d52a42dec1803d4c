// SPDX-License-Identifier: Apache-2.0
//
// Chapter 6, thread coarsening. The kernel below is right, but every 256 elements need a reduction tree of
// their own: eight barriers, with most threads idle in most steps. Let each thread add up COARSE_FACTOR
// elements before the tree begins. Three places are marked TODO.
//
//   ./warplings check coarsened_reduction

#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8

// Adds the sum of one segment of the input to *output.
__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  __shared__ float partial[BLOCK_SIZE];

  const int t = threadIdx.x;

  // TODO 1: a segment has BLOCK_SIZE * COARSE_FACTOR elements. Where does this block's segment begin? Add up
  // this thread's elements, but none past the end. In each step, a warp should load neighbouring elements.
  const int i = blockIdx.x * BLOCK_SIZE + t;
  float sum = 0.0f;
  if (i < length) {
    sum = input[i];
  }
  partial[t] = sum;

  for (int stride = BLOCK_SIZE / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) {
      partial[t] += partial[t + stride];
    }
  }

  if (t == 0) {
    atomicAdd(output, partial[0]);
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  cudaMemset(output, 0, sizeof(float));

  // TODO 2: how many elements does a block add up now?
  const int segment = BLOCK_SIZE;
  const int segments = (length + segment - 1) / segment;

  // TODO 3: a launch of 0 blocks is an error. When would that happen?
  coarsened_reduction_kernel<<<segments, BLOCK_SIZE>>>(input, output, length);
}
