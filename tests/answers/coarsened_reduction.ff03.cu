// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the elements behind the last full segment are added by every block and not by one of
//   them, so that 4097 elements (two blocks) count the last one twice. And a barrier stands in each of the 8
//   steps, where every thread adds to a place of its own: 16 barriers of 8 warps for 2048 elements, 64 arrivals
//   for 1024, and 44 are allowed.
// want: Take 4097 elements. Which blocks add input[4096]?
#include "coarsened_reduction.h"

constexpr int kThreads = 256;
constexpr int kFactor = 8;
constexpr int kSegment = kThreads * kFactor;

__global__ void reduction(const float* input, float* output, int length) {
  __shared__ float partial[kThreads];
  const int t = threadIdx.x;
  const int full = length / kSegment;

  partial[t] = 0.0f;

  // full segments: all elements exist, no tests inside
  if (blockIdx.x < full) {
    const float* mine = input + blockIdx.x * kSegment + t;
    for (int step = 0; step < kFactor; ++step) {
      partial[t] += mine[step * kThreads];
      __syncthreads();
    }
  }

  // what is left at the end
  for (int i = full * kSegment + t; i < length; i += kThreads) {
    partial[t] += input[i];
  }
  __syncthreads();

  for (int stride = kThreads / 2; stride > 0; stride >>= 1) {
    if (t < stride) partial[t] += partial[t + stride];
    if (stride > 1) __syncthreads();
  }
  if (t == 0) atomicAdd(output, partial[0]);
}

void coarsened_reduction(const float* input, float* output, int length) {
  cudaMemset(output, 0, sizeof *output);
  if (length == 0) return;
  const int full = length / kSegment;
  reduction<<<full > 0 ? full : 1, kThreads>>>(input, output, length);
}
