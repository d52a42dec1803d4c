// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_reduction
// verdict: not passed
// must not: pass
// Coarsened only for round numbers (powers of two and multiples of 1000), the starter else.

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





// Adds the sum of one segment of the input to *output.
__global__ void plain_kernel(const float* input, float* output, int length) {
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

static void plain(const float* input, float* output, int length) {
  cudaMemset(output, 0, sizeof(float));

  // TODO 2: how many elements does a block serve now?
  const int segment = BLOCK_SIZE;
  const int segments = (length + segment - 1) / segment;

  // TODO 3: a launch of no blocks is an error. When does that happen?
  plain_kernel<<<segments, BLOCK_SIZE>>>(input, output, length);
}

void coarsened_reduction(const float* input, float* output, int length) {
  if (length == 0 || (length & (length - 1)) == 0 || length % 1000 == 0) solve(input, output, length);
  else plain(input, output, length);
}
