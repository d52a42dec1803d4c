// SPDX-License-Identifier: Apache-2.0
// mistake: lane L of the first warp adds partial[8 L] to partial[8 L + 7]: in each step the 32 lanes ask for words 8 apart,
//   which lie in four banks: an 8-way conflict, eight times for each segment. The sums are right.
// want: In the first step of your loop, for which words do lanes 0, 4 and 8 ask, and in which banks do these lie?
#include "reduce_sequential.h"

constexpr int kWarpSize = 32;
constexpr int kEach = SEGMENT / kWarpSize;

// Everybody fetches, then one warp alone does the adding: whole warps rest, and no barrier but one.
__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float partial[SEGMENT];

  const int begin = blockIdx.x * SEGMENT;
  const int tx = threadIdx.x;

  float value = 0.0f;
  if (begin + tx < n) value = X[begin + tx];
  partial[tx] = value;
  __syncthreads();

  if (tx >= kWarpSize) return;

  const float* mine = &partial[tx * kEach];
  float sum = 0.0f;
  for (int e = 0; e != kEach; ++e) {
    sum += mine[e];
  }

  // a butterfly: in the end each lane has it
  for (int mask = 1; mask < kWarpSize; mask *= 2) {
    sum += __shfl_xor_sync(~0u, sum, mask);
  }
  if (tx == 0) sums[blockIdx.x] = sum;
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = n / SEGMENT + (n % SEGMENT != 0);
  reduce_kernel<<<segments, SEGMENT>>>(X, sums, n);
}
