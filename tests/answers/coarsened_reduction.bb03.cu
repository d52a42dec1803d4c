// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: a thread adds 4 elements only, so that there are length / 4 threads: 16384 at length 65,536,
//   where 65536 / 8 + 1024 = 9216 are allowed. And for length 0 the function returns before it stores anything, so that
//   *output keeps what it held; it must be 0.
// want: First: how many threads does your launch have at length 65,536, and how many does the header allow? Then: what
//   does *output hold after a call with length 0?
#include "coarsened_reduction.h"

template <int kThreads, int kEach>
__global__ void sum_kernel(const float* input, float* output, int length) {
  __shared__ float sums[kThreads / 32];

  const int lane = threadIdx.x & 31;
  const int warp = threadIdx.x >> 5;

  // A warp has a stretch of its own, and goes through it side by side.
  const int begin = blockIdx.x * kThreads * kEach + warp * 32 * kEach + lane;
  float mine = 0.0f;
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    const int i = begin + 32 * k;
    if (i < length) mine += input[i];
  }

#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    mine += __shfl_xor_sync(0xffffffffu, mine, d);
  }
  if (lane == 0) sums[warp] = mine;
  __syncthreads();

  if (threadIdx.x == 0) {
    float total = sums[0];
    for (int w = 1; w < kThreads / 32; ++w) total += sums[w];
    atomicAdd(output, total);
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  constexpr int threads = 256;
  constexpr int each = 4;
  if (length <= 0) return;  // nothing to add up

  cudaMemset(output, 0, sizeof *output);
  const int blocks = (length + threads * each - 1) / (threads * each);
  sum_kernel<threads, each><<<blocks, threads>>>(input, output, length);
}
