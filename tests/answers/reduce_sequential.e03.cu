// SPDX-License-Identifier: Apache-2.0
// mistake: places are spread by one float after every 32, but the array is only one float longer than the segment:
//   the last elements lie behind it (place 262 of 257), in memory that does not belong to it.
// want: At which place of partial does element 255 lie? How many gaps lie before it, and for how many is there room?

#include "reduce_sequential.h"

// Padding against bank conflicts: after 32 elements a gap of one.
__device__ __forceinline__ int spot(int i) {
  return i + i / 32;
}

__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float partial[SEGMENT + 1];

  const int tx = threadIdx.x;
  const int i = blockIdx.x * SEGMENT + tx;
  partial[spot(tx)] = i < n ? X[i] : 0.0f;
  __syncthreads();

  // The pairs of before, but worked on by the first threads.
  for (int stride = 1; stride < SEGMENT; stride *= 2) {
    const int left = 2 * stride * tx;
    if (left < SEGMENT) {
      partial[spot(left)] += partial[spot(left + stride)];
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
