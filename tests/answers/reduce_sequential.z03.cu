// SPDX-License-Identifier: Apache-2.0
// mistake: The tree halves the number of elements that exist and rounds down, so that of an odd number the last one is
//   lost. n = 3: half is 1, X[0] + X[1] is stored, X[2] is missing. Full segments, and last ones whose length is a power
//   of two, are right.
// want: Let the last segment have three elements. Which of them does each round of your loop add to which?
#include "reduce_sequential.h"

// No zeros are needed: only what exists takes part.
__global__ void reduce_kernel(const float* __restrict__ X, float* __restrict__ sums, int n) {
  __shared__ float part[SEGMENT];

  const float* mine = X + (size_t)blockIdx.x * SEGMENT;
  const int left = n - (int)blockIdx.x * SEGMENT;
  const int count = left < SEGMENT ? left : SEGMENT;

  const int tx = threadIdx.x;
  if (tx < count) part[tx] = mine[tx];

  for (int m = count; m > 1; m /= 2) {
    const int half = m / 2;
    __syncthreads();
    if (tx < half) part[tx] += part[tx + half];
  }

  // thread 0 was the last one that wrote part[0]
  if (tx == 0) sums[blockIdx.x] = part[0];
}

void reduce_sequential(const float* X, float* sums, int n) {
  const dim3 grid((n + SEGMENT - 1) / SEGMENT);
  const dim3 block(SEGMENT);
  reduce_kernel<<<grid, block>>>(X, sums, n);
}
