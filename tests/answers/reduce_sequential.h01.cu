// SPDX-License-Identifier: Apache-2.0
// mistake: the tree in shared memory ends while 64 partial sums are left (stride > 32), and the warp that finishes with
//   shuffles takes 32 of them; partial[32] to partial[63], half of every full segment, are never added.
// want: After your loop's last step, how many entries of partial still hold a share of the sum, and how many of them
//   does the last warp pick up?

#include "reduce_sequential.h"

#define THREADS (SEGMENT / 2)

// Two elements a thread.
__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float partial[THREADS];

  const int tx = threadIdx.x;
  const int i = blockIdx.x * SEGMENT + tx;
  float v = 0.0f;
  if (i < n) v += X[i];
  if (i + THREADS < n) v += X[i + THREADS];
  partial[tx] = v;
  __syncthreads();

  for (int stride = THREADS / 2; stride > 32; stride /= 2) {
    if (tx < stride) {
      partial[tx] += partial[tx + stride];
    }
    __syncthreads();
  }

  // the last warp alone
  if (tx < 32) {
    float sum = partial[tx];
    for (int offset = 16; offset > 0; offset /= 2) {
      sum += __shfl_down_sync(0xffffffffu, sum, offset);
    }
    if (tx == 0) sums[blockIdx.x] = sum;
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = (n + SEGMENT - 1) / SEGMENT;
  reduce_kernel<<<segments, THREADS>>>(X, sums, n);
}
