// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: a thread adds elements in pairs and leaves out the pair whose second element does not exist, with
//   its first, which may exist: length 1 gives 0, length 300 loses input[44] to input[255]. Right where length is a
//   multiple of 512. And with length 0 the function returns before it has stored the 0, so that output keeps what
//   it held.
// want: length 1: which elements does thread 0 look at in its first step, and what does the condition say? Afterwards:
//   what is in *output after a call with length 0?
#include "coarsened_reduction.h"

constexpr int kBlock = 256;
constexpr int kFactor = 8;

__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  __shared__ float partial[kBlock];
  const int t = threadIdx.x;

  // Two sums that do not wait for each other.
  float even = 0.0f;
  float odd = 0.0f;
  int i = blockIdx.x * kBlock * kFactor + t;
  for (int pair = 0; pair < kFactor / 2; ++pair, i += 2 * kBlock) {
    if (i + kBlock < length) {
      even += input[i];
      odd += input[i + kBlock];
    }
  }
  partial[t] = even + odd;
  __syncthreads();

  for (int stride = kBlock / 2; stride >= 32; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }

  if (t < 32) {
    float s = partial[t];
    for (int o = 16; o > 0; o /= 2) s += __shfl_xor_sync(0xffffffff, s, o);
    if (t == 0) atomicAdd(output, s);
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  const int blocks = (length + kBlock * kFactor - 1) / (kBlock * kFactor);
  if (blocks == 0) return;  // nothing to add, and a grid of 0 is an error

  cudaMemset(output, 0, sizeof(float));
  coarsened_reduction_kernel<<<blocks, kBlock>>>(input, output, length);
}
