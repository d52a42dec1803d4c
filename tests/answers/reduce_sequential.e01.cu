// SPDX-License-Identifier: Apache-2.0
// mistake: the last six steps run in one warp without any synchronisation, as in old slides (not even volatile);
//   lanes of a warp need not go in lockstep and the compiler may reorder, so that the steps race with each other.
// want: What makes lane 0 wait until lane 16 has written its sum of the step before? Which GPUs did the source of
//   this trick talk about?

#include "reduce_sequential.h"

// Each block adds up one segment, one thread for each element.
__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float partial[SEGMENT];

  const int tx = threadIdx.x;
  const int i = blockIdx.x * SEGMENT + tx;
  partial[tx] = i < n ? X[i] : 0.0f;
  __syncthreads();

  for (int stride = SEGMENT / 2; stride > 32; stride >>= 1) {
    if (tx < stride) {
      partial[tx] += partial[tx + stride];
    }
    __syncthreads();
  }

  // One warp is left: unrolled, it needs no barriers
  if (tx < 32) {
    partial[tx] += partial[tx + 32];
    partial[tx] += partial[tx + 16];
    partial[tx] += partial[tx + 8];
    partial[tx] += partial[tx + 4];
    partial[tx] += partial[tx + 2];
    partial[tx] += partial[tx + 1];
  }

  if (tx == 0) {
    sums[blockIdx.x] = partial[0];
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = (n + SEGMENT - 1) / SEGMENT;
  reduce_kernel<<<segments, SEGMENT>>>(X, sums, n);
}
