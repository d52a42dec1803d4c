// SPDX-License-Identifier: Apache-2.0
// mistake: no thread is held back in the tree: all 128 add in each step. The upper ones write the very elements that the
//   lower ones read in this step. At stride 32 thread 0 reads partial[32] while thread 32, of another warp, adds
//   partial[64] to it, which is in partial[0] already: a race; where warp 1 comes first, partial[64] counts twice.
//   (The zeros above keep the reads within the array, and the 128 x 8 additions are within the limit.)
// want: At stride 32, which thread reads partial[32], and which thread writes it? What is between the two?
#include "reduce_sequential.h"

#define THREADS (SEGMENT / 2)

// Half as many threads as elements: the first step is done on the way into shared memory.
__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float partial[2 * THREADS];

  const int tx = threadIdx.x;
  const int lo = blockIdx.x * SEGMENT + tx;
  const int hi = lo + THREADS;

  partial[tx] = (lo < n ? X[lo] : 0.0f) + (hi < n ? X[hi] : 0.0f);
  partial[tx + THREADS] = 0.0f;  // so that tx + stride needs no test below
  __syncthreads();

#pragma unroll
  for (int stride = THREADS / 2; stride >= 1; stride /= 2) {
    // No branch, no divergence. What the upper threads add up is of no interest.
    partial[tx] += partial[tx + stride];
    __syncthreads();
  }

  if (tx == 0) sums[blockIdx.x] = *partial;
}

void reduce_sequential(const float* X, float* sums, int n) {
  const dim3 grid((n + SEGMENT - 1) / SEGMENT);
  reduce_kernel<<<grid, THREADS>>>(X, sums, n);
}
