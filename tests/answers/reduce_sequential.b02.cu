// SPDX-License-Identifier: Apache-2.0
// mistake: a thread loads a float4 only where all four floats exist, and 0 otherwise: where n is no multiple of
//   4 the last one to three elements are in no sum.
// want: n = 7: which elements does thread 1 own, which of them exist, and which get into the sum?
#include "reduce_sequential.h"

#define THREADS (SEGMENT / 4)

// 64 threads a segment: each loads four neighbours at once and adds them up before the tree begins.
__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float partial[THREADS];

  const int tx = threadIdx.x;
  const int i = blockIdx.x * SEGMENT + 4 * tx;
  float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (i + 3 < n) {
    v = *reinterpret_cast<const float4*>(X + i);
  }
  partial[tx] = (v.x + v.y) + (v.z + v.w);
  __syncthreads();

  for (int stride = THREADS / 2; stride > 0; stride /= 2) {
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
  reduce_kernel<<<segments, THREADS>>>(X, sums, n);
}
