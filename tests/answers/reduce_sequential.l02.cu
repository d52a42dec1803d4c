// SPDX-License-Identifier: Apache-2.0
// mistake: 64 threads with four elements each; one guard, that of the last of them, decides on the other three: in the last
//   segment, a thread whose fourth element is missing leaves out its second and third, too. With n = 200, X[74] and
//   X[138] are lost, for instance. Where n is a multiple of 256 all is well.
// want: n = 200: which elements are thread 10's, which of them exist, and which does it add? Ask for each of the four
//   whether it exists.
#include "reduce_sequential.h"

#define THREADS (SEGMENT / 4)

__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float s[THREADS];

  const int t = threadIdx.x;
  const int i = blockIdx.x * SEGMENT + t;

  // first two levels while loading
  float mine = 0.0f;
  if (i < n) {
    mine = X[i];
  }
  if (i + 3 * THREADS < n) {
    mine += X[i + THREADS] + X[i + 2 * THREADS] + X[i + 3 * THREADS];
  }
  s[t] = mine;
  __syncthreads();

  for (int half = THREADS / 2; half >= 1; half /= 2) {
    if (t < half) {
      s[t] += s[t + half];
    }
    __syncthreads();
  }

  if (t == 0) {
    sums[blockIdx.x] = s[0];
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = (n + SEGMENT - 1) / SEGMENT;
  reduce_kernel<<<segments, THREADS>>>(X, sums, n);
}
