// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: with length 0 the function returns before the memset, and output keeps what it held: 7 before the
//   call, 7 after it, not 0. And a thread adds four elements only, so that there are length / 4 threads: 16,384 at
//   length 65,536, where 65,536 / 8 + 1024 = 9216 are allowed. (Sums, sectors, barriers and atomics are right.)
// want: output holds 7, and length is 0. What does it hold after the call, and what does the header say?
#include "coarsened_reduction.h"

namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kCoarse = 4;  // more blocks, more parallelism
constexpr int kSegment = kThreads * kCoarse;

__device__ float add_lanes(float x) {
#pragma unroll
  for (int m = 16; m; m >>= 1) x += __shfl_xor_sync(0xffffffffu, x, m);
  return x;
}

__global__ void sum_segment(const float* input, float* output, int length) {
  __shared__ float of_warp[kWarps];

  const float* p = input + blockIdx.x * kSegment + threadIdx.x;
  const float* const end = input + min(length, int(blockIdx.x + 1) * kSegment);

  float sum = 0.0f;
  while (p < end) {
    sum += *p;
    p += kThreads;
  }

  sum = add_lanes(sum);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();

  if (threadIdx.x == 0) {
    float total = of_warp[0];
    for (int w = 1; w < kWarps; ++w) total += of_warp[w];
    atomicAdd(output, total);
  }
}

}  // namespace

void coarsened_reduction(const float* input, float* output, int length) {
  if (length == 0) return;  // no blocks, no launch
  cudaMemset(output, 0, sizeof *output);
  sum_segment<<<(length - 1) / kSegment + 1, kThreads>>>(input, output, length);
}
