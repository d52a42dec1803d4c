// SPDX-License-Identifier: Apache-2.0
// mistake: the last warp adds without any barrier and relies on lockstep (volatile): since Volta lanes of a warp
//   may run apart, so that one lane reads a place before, or after, another one has overwritten it.
// want: in the step with distance 16, lane 0 reads partial[16] and lane 16 writes it: what orders the two?
//   volatile makes no lane wait for another; look for the warp's own barrier.
#include "reduce_sequential.h"

// The last 64 summands, by one warp.
__device__ void last_warp(volatile float* partial, int tx) {
  partial[tx] += partial[tx + 32];
  partial[tx] += partial[tx + 16];
  partial[tx] += partial[tx + 8];
  partial[tx] += partial[tx + 4];
  partial[tx] += partial[tx + 2];
  partial[tx] += partial[tx + 1];
}

__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float partial[SEGMENT];

  const int tx = threadIdx.x;
  const int i = blockIdx.x * SEGMENT + tx;
  partial[tx] = i < n ? X[i] : 0.0f;
  __syncthreads();

  for (int stride = SEGMENT / 2; stride > 32; stride /= 2) {
    if (tx < stride) {
      partial[tx] += partial[tx + stride];
    }
    __syncthreads();
  }

  if (tx < 32) {
    last_warp(partial, tx);
  }
  if (tx == 0) {
    sums[blockIdx.x] = partial[0];
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = (n + SEGMENT - 1) / SEGMENT;
  reduce_kernel<<<segments, SEGMENT>>>(X, sums, n);
}
