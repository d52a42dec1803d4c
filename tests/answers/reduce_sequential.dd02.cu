// SPDX-License-Identifier: Apache-2.0
// mistake: The tree starts from the number of elements that the segment has, and halves it: where that is odd, the last summand of
//   a step is dropped. n = 3: half is 1, partial[0] += partial[1], and partial[2] is lost; sums[0] = X[0] + X[1]. Right
//   where each segment's number of elements is a power of 2, so for all full ones.
// want: Play the steps for a segment of three elements. Which elements are in sums[0] at the end?
#include "reduce_sequential.h"

// Sums what there is of a segment; a short one takes fewer steps.
__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float partial[SEGMENT];

  const int t = threadIdx.x;
  const float* segment = X + blockIdx.x * SEGMENT;
  const int elements = min(SEGMENT, n - (int)blockIdx.x * SEGMENT);

  if (t < elements) partial[t] = segment[t];

  int half = elements / 2;
  while (half > 0) {
    __syncthreads();
    // the lower half adds the upper half to itself
    if (t < half) partial[t] = partial[t] + partial[t + half];
    half /= 2;
  }

  // thread 0 has written partial[0] itself
  if (t == 0) sums[blockIdx.x] = partial[0];
}

void reduce_sequential(const float* X, float* sums, int n) {
  int blocks = n / SEGMENT;
  if (n % SEGMENT) blocks++;
  reduce_kernel<<<blocks, SEGMENT>>>(X, sums, n);
}
