// SPDX-License-Identifier: Apache-2.0
// mistake: Thread 0 sets `total` to 0 and, after the shuffles, adds its warp's sum. Nothing makes the other warps wait
//   for the 0: what one of them has added before is lost.
// want: Warp 7 is fast, warp 0 is slow. What does warp 7 add to, and what happens to it? A barrier after the store of 0.

#include "reduce_sequential.h"

// Each block adds up one segment, one thread per element. Each step halves the number of partial sums.
__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float total;
  const int tx = threadIdx.x;
  const int i = blockIdx.x * SEGMENT + tx;
  float v = i < n ? X[i] : 0.0f;
  if (tx == 0) total = 0.0f;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (tx % 32 == 0) atomicAdd(&total, v);
  __syncthreads();
  if (tx == 0) sums[blockIdx.x] = total;
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = (n + SEGMENT - 1) / SEGMENT;
  reduce_kernel<<<segments, SEGMENT>>>(X, sums, n);
}
