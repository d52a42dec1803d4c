// SPDX-License-Identifier: Apache-2.0
// mistake: block 0 sets *output to 0 within the kernel in which all blocks add to it: a race. Block 1 may add its sum
//   before block 0 stores the zero, which then wipes it out, and where it adds later, it is right. Shows from length 2049
//   on, with two blocks.
// want: With length 4096 there are two blocks. Does anything make block 1 wait for the zero that block 0 stores?
#include "coarsened_reduction.h"

#define THREADS 256
#define COARSE 8

__global__ void reduce(const float* in, float* out, int length) {
  __shared__ float partial[THREADS];
  const int t = threadIdx.x;

  // start from zero, whatever was there before
  if (blockIdx.x == 0 && t == 0) {
    *out = 0.0f;
    __threadfence();
  }
  __syncthreads();

  const float* segment = in + (size_t)blockIdx.x * THREADS * COARSE;
  const int left = length - blockIdx.x * THREADS * COARSE;

  float a = 0.0f, b = 0.0f;
#pragma unroll
  for (int c = 0; c < COARSE; c += 2) {
    const int i = c * THREADS + t;
    if (i < left) a += segment[i];
    if (i + THREADS < left) b += segment[i + THREADS];
  }
  partial[t] = a + b;
  __syncthreads();

  // down to one warp, the rest by shuffles
  for (int stride = THREADS / 2; stride >= 32; stride >>= 1) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t < 32) {
    float v = partial[t];
    v += __shfl_xor_sync(~0u, v, 16);
    v += __shfl_xor_sync(~0u, v, 8);
    v += __shfl_xor_sync(~0u, v, 4);
    v += __shfl_xor_sync(~0u, v, 2);
    v += __shfl_xor_sync(~0u, v, 1);
    if (t == 0) atomicAdd(out, v);
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  int blocks = (length + THREADS * COARSE - 1) / (THREADS * COARSE);
  if (blocks == 0) blocks = 1;  // still has to write the 0
  reduce<<<blocks, THREADS>>>(input, output, length);
}
