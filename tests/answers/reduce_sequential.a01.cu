// SPDX-License-Identifier: Apache-2.0
// mistake: the loop ends at stride > 1, so that the step with stride 1 is never taken: partial[1] is missing from the
//   sum.
// want: Which strides does your loop take for 256 elements? After the step with stride 2, how many summands are left?
#include "reduce_sequential.h"

__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float partial[SEGMENT];

  const int tx = threadIdx.x;
  const int i = blockIdx.x * SEGMENT + tx;
  partial[tx] = i < n ? X[i] : 0.0f;  // 0 adds nothing to any sum
  __syncthreads();

  // 128, 64, 32, ...
  for (int stride = SEGMENT / 2; stride > 1; stride /= 2) {
    if (tx < stride) {
      partial[tx] += partial[tx + stride];
    }
    __syncthreads();
  }

  if (tx == 0) {
    sums[blockIdx.x] = partial[0];
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = (n + SEGMENT - 1) / SEGMENT;
  reduce_kernel<<<segments, SEGMENT>>>(X, sums, n);
}
