// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: with n a multiple of 256 there is one segment too many, n / 256 + 1, and sums is written
//   one float beyond its end (n = 256 writes sums[1]). And no barrier stands between warp 0's last reads of
//   partial[32] to partial[63] and warp 1's stores of the block's next segment there, a race as soon as there are
//   more than 64 segments.
// want: n is 256. How many segments do you count, and how long is sums?
#include "reduce_sequential.h"

__global__ void reduce_kernel(const float* X, float* sums, int n, int segments) {
  __shared__ float partial[SEGMENT];
  const int tx = threadIdx.x;

  // a few blocks that stay, each of which takes segment after segment
  for (int segment = blockIdx.x; segment < segments; segment += gridDim.x) {
    const int i = segment * SEGMENT + tx;
    partial[tx] = i < n ? X[i] : 0.0f;
    __syncthreads();

    for (int stride = SEGMENT / 2; stride >= 64; stride >>= 1) {
      if (tx < stride) partial[tx] += partial[tx + stride];
      __syncthreads();
    }

    // 64 are left: the first warp does the rest in its registers
    if (tx < 32) {
      float v = partial[tx] + partial[tx + 32];
      for (int mask = 16; mask; mask >>= 1) v += __shfl_xor_sync(~0u, v, mask);
      if (tx == 0) sums[segment] = v;
    }
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = n / SEGMENT + 1;
  const int blocks = segments < 64 ? segments : 64;
  reduce_kernel<<<blocks, SEGMENT>>>(X, sums, n, segments);
}
