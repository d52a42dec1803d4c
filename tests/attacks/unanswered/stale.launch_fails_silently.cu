// SPDX-License-Identifier: Apache-2.0
// exercise: reduce_sequential
// verdict: not passed
// must not: pass
// A launch with 2048 threads a block fails; P keeps what an earlier test left.

#include "reduce_sequential.h"

// Each block adds up one segment, one thread for each element, in steps that halve the number of summands.
__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float partial[SEGMENT];

  const int tx = threadIdx.x;
  const int i = blockIdx.x * SEGMENT + tx;
  partial[tx] = i < n ? X[i] : 0.0f;  // 0 adds nothing to any sum
  __syncthreads();

  // The upper half of what is left is added to the lower half. The threads that work are 0 to stride - 1:
  // whole warps work or rest, until less than one warp is left. Lane by lane they touch neighbouring
  // elements, in 32 different banks.
  for (int stride = SEGMENT / 2; stride >= 32; stride /= 2) {
    if (tx < stride) {
      partial[tx] += partial[tx + stride];
    }
    __syncthreads();  // outside the if: everybody waits, also who has nothing to add any more
  }

  // Now only the first warp has something to add. Its threads need not wait for the others, who are done.
  if (tx >= 32) return;
  for (int stride = 16; stride > 0; stride /= 2) {
    if (tx < stride) {
      partial[tx] += partial[tx + stride];
    }
    __syncwarp();
  }

  if (tx == 0) {
    sums[blockIdx.x] = partial[0];
  }
}

static void solve(const float* X, float* sums, int n) {
  const int segments = (n + SEGMENT - 1) / SEGMENT;
  reduce_kernel<<<segments, 2048>>>(X, sums, n);
}


void reduce_sequential(const float* X, float* sums, int n) {

  solve(X, sums, n);

}
