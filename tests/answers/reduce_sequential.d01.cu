// SPDX-License-Identifier: Apache-2.0
// mistake: adds neighbouring pairs and moves the sums together at the front: thread t reads partial[2 * t] and
//   partial[2 * t + 1]. The sums are right and the working threads are neighbours, but lanes t and t + 16 of a warp
//   want different words from the same bank in each of the two reads: a 2-way conflict.
// want: Which bank does lane 0 ask when it reads partial[2 * t], and which one does lane 16? Which distance between
//   the two summands gives neighbouring lanes neighbouring words?
#include "reduce_sequential.h"

__global__ void reduce_kernel(const float* X, float* sums, int n) {
  // volatile: everybody must see the others' sums
  __shared__ volatile float partial[SEGMENT];

  const int tx = threadIdx.x;
  const int i = blockIdx.x * SEGMENT + tx;
  partial[tx] = i < n ? X[i] : 0.0f;
  __syncthreads();

  // 256 numbers become 128, then 64, ... always packed at the front, so that whole warps rest.
  for (int left = SEGMENT / 2; left > 0; left /= 2) {
    float pair = 0.0f;
    if (tx < left) {
      pair = partial[2 * tx] + partial[2 * tx + 1];
    }
    __syncthreads();  // all have read before anybody writes
    if (tx < left) {
      partial[tx] = pair;
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
