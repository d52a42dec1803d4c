// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_reduction
// verdict: not passed
// must not: pass
// The starter (one element a thread) adds into scratch; a coarse kernel that reads everything and uses nothing stores the scratch.

#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8

// Adds the sum of one segment of the input to *output.
__global__ void starter_kernel(const float* input, float* output, int length) {
  __shared__ float partial[BLOCK_SIZE];

  const int t = threadIdx.x;

  // TODO 1: a segment has BLOCK_SIZE * COARSE_FACTOR elements. Where does this block's begin? Add up the
  // elements of this thread; not every one exists, and a warp's 32 loads of one step should be neighbours.
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

static void solve(const float* input, float* output, int length) {
  cudaMemset(output, 0, sizeof(float));

  // TODO 2: how many elements does a block serve now?
  const int segment = BLOCK_SIZE;
  const int segments = (length + segment - 1) / segment;

  // TODO 3: a launch of no blocks is an error. When does that happen?
  starter_kernel<<<segments, BLOCK_SIZE>>>(input, output, length);
}

__global__ void coarsened_reduction_kernel(const float* input, float* output, const float* s, int length) {
  float none = 0;
  for (int c = 0; c < 8; ++c) {
    const int i = (blockIdx.x * 8 + c) * 256 + threadIdx.x;
    if (i < length) none += input[i];
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) *output = none == 1.25e37f ? none : *s;
}

void coarsened_reduction(const float* input, float* output, int length) {
  float* s;
  cudaMalloc(&s, 4);
  cudaMemset(s, 0, 4);
  if (length > 0) solve(input, s, length);
  coarsened_reduction_kernel<<<(length + 2048) / 2048, 256>>>(input, output, s, length);
  cudaFree(s);
}
