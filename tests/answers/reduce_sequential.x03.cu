// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: each summand has a gap behind it, so that lanes are 2 words apart: 16 banks for 32 lanes, a 2-way
//   conflict at each full access. And a last segment with an odd number of summands left in a step loses one: n = 3,
//   count 3, half 1: [0] += [1], and [2] is never added.
// want: n = 3: write down what is in partial after each step. Where does X[2] go? (And: in which bank do lane 0 and lane
//   16 find their summands?)
#include "reduce_sequential.h"

#define AT(k) partial[2 * (k)]  // a gap after each, so neighbours do not share a bank

__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float partial[2 * SEGMENT];

  int tx = threadIdx.x;
  const float* segment = X + blockIdx.x * SEGMENT;

  // only as many as exist
  int count = n - blockIdx.x * SEGMENT;
  if (count > SEGMENT) count = SEGMENT;

  if (tx < count) AT(tx) = segment[tx];
  __syncthreads();

  while (count > 1) {
    count /= 2;
    if (tx < count) AT(tx) += AT(tx + count);
    __syncthreads();
  }

  if (tx == 0) sums[blockIdx.x] = AT(0);
}

void reduce_sequential(const float* X, float* sums, int n) {
  reduce_kernel<<<(n + SEGMENT - 1) / SEGMENT, SEGMENT>>>(X, sums, n);
}
