// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_reduction
// verdict: not passed
// must not: pass
// Right, and afterwards the last input element is changed.

#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8

// Adds the sum of one segment of BLOCK_SIZE * COARSE_FACTOR elements to *output.
__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  __shared__ float partial[BLOCK_SIZE];

  const int t = threadIdx.x;
  const int first = blockIdx.x * BLOCK_SIZE * COARSE_FACTOR + t;

  // Its elements are BLOCK_SIZE apart: in each step the threads of a warp read 32 neighbours, four sectors.
  float sum = 0.0f;
  for (int c = 0; c < COARSE_FACTOR; ++c) {
    const int i = first + c * BLOCK_SIZE;
    if (i < length) {
      sum += input[i];
    }
  }
  partial[t] = sum;

  // The tree, once a segment.
  for (int stride = BLOCK_SIZE / 2; stride > 0; stride /= 2) {
    __syncthreads();  // what the round before wrote is there; all threads come here, also the idle ones
    if (t < stride) {
      partial[t] += partial[t + stride];
    }
  }

  if (t == 0) {
    atomicAdd(output, partial[0]);  // the thread that wrote partial[0] last
  }
}

static void solve(const float* input, float* output, int length) {
  // Every block adds to *output, so it must hold zero first: as bytes, that is four zeros.
  cudaMemset(output, 0, sizeof(float));

  const int segment = BLOCK_SIZE * COARSE_FACTOR;
  const int segments = (length + segment - 1) / segment;
  if (segments > 0) {  // a grid without blocks is an error
    coarsened_reduction_kernel<<<segments, BLOCK_SIZE>>>(input, output, length);
  }
}


void coarsened_reduction(const float* input, float* output, int length) {

  solve(input, output, length);
  if (length > 0) cudaMemset((void*)(input + length - 1), 0x3f, 4);
}
