// SPDX-License-Identifier: Apache-2.0
// differs: no atomic addition. The same kernel runs twice, in blocks of 1024 threads: over the input, then as one block over
// the sums of the blocks. A thread has 8 elements, also in the second pass, where most have none.

#include "coarsened_reduction.h"

namespace {

constexpr int kThreads = 1024, kEach = 8, kSegment = kThreads * kEach;

__global__ void add_segments(const float* values, float* sums, int count) {
  __shared__ float partial[kThreads];
  const int t = threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < kEach; ++k) {
    const long long i = static_cast<long long>(blockIdx.x) * kSegment + k * kThreads + t;
    if (i < count) sum += values[i];
  }
  partial[t] = sum;
  __syncthreads();
  for (int stride = kThreads / 2; stride > 0; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = partial[0];
}

}  // namespace

void coarsened_reduction(const float* input, float* output, int length) {
  const int blocks = (length - 1) / kSegment + 1;
  if (length <= kSegment) {
    add_segments<<<1, kThreads>>>(input, output, length);
    return;
  }
  float* sums = nullptr;
  cudaMalloc(&sums, blocks * sizeof(float));
  add_segments<<<blocks, kThreads>>>(input, sums, length);
  add_segments<<<1, kThreads>>>(sums, output, blocks);
  cudaFree(sums);
}
