// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: a block goes on to its next segment while thread 0 may still read the sum of this one.
#include "reduce_sequential.h"

constexpr int kMostBlocks = 256;

__global__ void reduce_kernel(const float* X, float* sums, int n, int segments) {
  __shared__ float partial[SEGMENT];

  const int tx = threadIdx.x;
  for (int segment = blockIdx.x; segment < segments; segment += gridDim.x) {
    const int i = segment * SEGMENT + tx;
    partial[tx] = i < n ? X[i] : 0.0f;

    for (int stride = SEGMENT / 2; stride > 0; stride /= 2) {
      __syncthreads();
      if (tx < stride) {
        partial[tx] += partial[tx + stride];
      }
    }

    if (tx == 0) {
      sums[segment] = partial[0];
    }
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = (n + SEGMENT - 1) / SEGMENT;
  const int blocks = segments < kMostBlocks ? segments : kMostBlocks;
  reduce_kernel<<<blocks, SEGMENT>>>(X, sums, n, segments);
}
