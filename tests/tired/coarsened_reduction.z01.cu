// SPDX-License-Identifier: Apache-2.0
// mistake: Block 0 stores its sum and all other blocks add theirs, without anything that puts block 0 first: what a block
//   has added before block 0 stores is lost, or stands on what output held before the call. From 2049 elements on (two
//   blocks) the result depends on their order. (length 0 is right: one block stores 0.)
// want: Two blocks, and block 1 happens to be done first. What is in *output after each of the two writes?
#include "coarsened_reduction.h"

template <int kThreads, int kEach>
__global__ void sum_kernel(const float* input, float* output, int length) {
  __shared__ float warp_sums[kThreads / 32];

  const int t = threadIdx.x;
  const int begin = blockIdx.x * kThreads * kEach;

  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    const int i = begin + k * kThreads + t;
    if (i < length) sum += input[i];
  }

  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (t % 32 == 0) warp_sums[t / 32] = sum;
  __syncthreads();

  if (t == 0) {
    float total = warp_sums[0];
    for (int w = 1; w < kThreads / 32; ++w) total += warp_sums[w];

    // block 0 starts the sum, so no memset is needed
    if (blockIdx.x == 0) {
      *output = total;
    } else {
      atomicAdd(output, total);
    }
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  constexpr int threads = 256, each = 8;
  int blocks = (length + threads * each - 1) / (threads * each);
  if (blocks < 1) blocks = 1;
  sum_kernel<threads, each><<<blocks, threads>>>(input, output, length);
}
