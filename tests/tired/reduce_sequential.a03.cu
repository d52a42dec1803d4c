// SPDX-License-Identifier: Apache-2.0
// mistake: 1. threads behind the end of X leave their place of partial unfilled, and it is added all the same. 2. no
//   synchronisation at all in the last warp: its lanes need not run in step (__syncwarp is missing).
// want: n = 300: what stands in partial[50] of the second block, and who wrote it? (Then: what makes lane 0 see what
//   lane 16 has just written?)
#include "reduce_sequential.h"

__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float partial[SEGMENT];

  const int tx = threadIdx.x;
  const int i = blockIdx.x * SEGMENT + tx;
  if (i < n) {
    partial[tx] = X[i];
  }
  __syncthreads();

  for (int stride = SEGMENT / 2; stride > 32; stride /= 2) {
    if (tx < stride) {
      partial[tx] += partial[tx + stride];
    }
    __syncthreads();
  }

  // only one warp left, it runs in lockstep
  if (tx < 32) {
    for (int stride = 32; stride > 0; stride /= 2) {
      if (tx < stride) {
        partial[tx] += partial[tx + stride];
      }
    }
  }

  if (tx == 0) {
    sums[blockIdx.x] = partial[0];
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = (n + SEGMENT - 1) / SEGMENT;
  reduce_kernel<<<segments, SEGMENT>>>(X, sums, n);
}
