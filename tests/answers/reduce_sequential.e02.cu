// SPDX-License-Identifier: Apache-2.0
// mistake: a thread loads four floats when the first of them exists; where n is no multiple of 4 the last load
//   reaches up to three floats behind X, and they are added to the last sum.
// want: With n = 5, which elements does thread 1 add? What does your guard say about each of the four?

#include "reduce_sequential.h"

#define THREADS (SEGMENT / 4)

__device__ float warp_sum(float v) {
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) {
    v += __shfl_down_sync(0xffffffff, v, offset);
  }
  return v;
}

// Two warps a segment, four neighbours a thread.
__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float second;

  const int tx = threadIdx.x;
  const int i = blockIdx.x * SEGMENT + 4 * tx;

  float v = 0.0f;
  if (i < n) {
    const float4 four = *reinterpret_cast<const float4*>(X + i);
    v = (four.x + four.y) + (four.z + four.w);
  }
  v = warp_sum(v);

  if (tx == 32) second = v;
  __syncthreads();
  if (tx == 0) sums[blockIdx.x] = v + second;
}

void reduce_sequential(const float* X, float* sums, int n) {
  reduce_kernel<<<(n + SEGMENT - 1) / SEGMENT, THREADS>>>(X, sums, n);
}
