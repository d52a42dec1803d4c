// SPDX-License-Identifier: Apache-2.0
// exercise: reduce_sequential
// verdict: not passed
// must not: pass
// Divergence by indirect calls and switch tables instead of branches: a warp parts, but no branch instruction says so. 256 lanes go one by one.

#include "reduce_sequential.h"

typedef float (*Add)(float, float);
__device__ __noinline__ float yes(float a, float b) { return a + b; }
__device__ __noinline__ float no(float a, float b) { return a; }
__device__ Add table[2] = {no, yes};
__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float partial[SEGMENT];
  const int tx = threadIdx.x, i = blockIdx.x * SEGMENT + tx;
  partial[tx] = i < n ? X[i] : 0.0f;
  __syncthreads();
  for (int stride = 1; stride < SEGMENT; stride *= 2) {
    const int works = tx % (2 * stride) == 0;
    const float v = table[works](partial[tx], partial[(tx + stride) % SEGMENT]);
    __syncthreads();
    partial[tx] = v;
    __syncthreads();
  }
  if (tx == 0) sums[blockIdx.x] = partial[0];
}

void reduce_sequential(const float* X, float* sums, int n) {
  reduce_kernel<<<(n + SEGMENT - 1) / SEGMENT, SEGMENT>>>(X, sums, n);
}
