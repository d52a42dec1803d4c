// SPDX-License-Identifier: Apache-2.0
// differs: an extra answer: sums in double precision through shared memory of doubles, one thread would print where
// something is not a number (printf on the device, never reached), __syncthreads_or asks for it.

#include <cstdio>

#include "reduce_sequential.h"

__global__ void doubles(const float* X, float* sums, int n) {
  __shared__ double s[SEGMENT];
  const int t = threadIdx.x, i = blockIdx.x * SEGMENT + t;
  double v = i < n ? static_cast<double>(X[i]) : 0.0;
  s[t] = v;
  const int bad = __syncthreads_or(v != v);
  if (bad && t == 0) printf("segment %d has something that is not a number\n", static_cast<int>(blockIdx.x));
  for (int half = SEGMENT / 2; half >= 32; half >>= 1) {
    if (t < half) s[t] = v += s[t + half];
    __syncthreads();
  }
  if (t >= 32) return;
  for (int half = 16; half; half >>= 1) v += __shfl_down_sync(0xffffffffu, v, half);
  if (t == 0) sums[blockIdx.x] = static_cast<float>(v);
}

void reduce_sequential(const float* X, float* sums, int n) {
  doubles<<<(n + SEGMENT - 1) / SEGMENT, SEGMENT>>>(X, sums, n);
}
