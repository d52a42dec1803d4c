// SPDX-License-Identifier: Apache-2.0
// mistake: makes the working threads neighbours (index = 2 * stride * tx) but keeps the elements apart: neighbouring
//   lanes are 2 * stride words apart and meet in the same banks.
// want: With stride 16 lane 0 reads word 0, lane 1 word 32: which banks are these? The threads are neighbours now; the
//   elements that they read should be, too.
#include "reduce_sequential.h"

// One block, one segment.
__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float partial[SEGMENT];

  const int tx = threadIdx.x;
  const int i = blockIdx.x * SEGMENT + tx;
  partial[tx] = i < n ? X[i] : 0.0f;
  __syncthreads();

  for (int stride = 1; stride < SEGMENT; stride *= 2) {
    // no modulo: threads 0, 1, 2, ... work, the others rest
    const int index = 2 * stride * tx;
    if (index < SEGMENT) {
      partial[index] += partial[index + stride];
    }
    __syncthreads();
  }

  if (tx == 0) sums[blockIdx.x] = partial[0];
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = (n + SEGMENT - 1) / SEGMENT;
  reduce_kernel<<<segments, SEGMENT>>>(X, sums, n);
}
