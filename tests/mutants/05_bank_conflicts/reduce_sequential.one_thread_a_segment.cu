// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: each thread adds up a segment of its own.
#include "reduce_sequential.h"

__global__ void reduce_kernel(const float* X, float* sums, int n) {
  const int segment = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = segment * SEGMENT;
  if (first < n) {
    float sum = 0.0f;
    for (int i = first; i < first + SEGMENT && i < n; ++i) {
      sum += X[i];
    }
    sums[segment] = sum;
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = (n + SEGMENT - 1) / SEGMENT;
  reduce_kernel<<<(segments + 31) / 32, 32>>>(X, sums, n);
}
