// SPDX-License-Identifier: Apache-2.0
// mistake: the last warp's steps are unrolled without any synchronisation (neither __syncwarp nor barriers): a lane reads
//   what another lane stores in the step before, a race.
// want: Lane 0 adds partial[16] in the second of the last steps: who stored that, and what makes lane 0 see it? Lanes of
//   a warp need not run in step.
#include "reduce_sequential.h"

__global__ void sum_segment(const float* X, float* sums, int n) {
  __shared__ float partial[SEGMENT];

  const unsigned int id = threadIdx.x;
  const int where = blockIdx.x * SEGMENT + id;
  float mine = 0.0f;
  if (where < n) mine = X[where];
  partial[id] = mine;
  __syncthreads();

  for (unsigned int s = SEGMENT / 2; s > 32; s /= 2) {
    if (id < s) {
      partial[id] += partial[id + s];
    }
    __syncthreads();
  }

  // one warp is left, it needs no more barriers
  if (id < 32) {
    partial[id] += partial[id + 32];
    partial[id] += partial[id + 16];
    partial[id] += partial[id + 8];
    partial[id] += partial[id + 4];
    partial[id] += partial[id + 2];
    partial[id] += partial[id + 1];
  }

  if (id == 0) sums[blockIdx.x] = partial[0];
}

void reduce_sequential(const float* X, float* sums, int n) {
  sum_segment<<<(n + SEGMENT - 1) / SEGMENT, SEGMENT>>>(X, sums, n);
}
