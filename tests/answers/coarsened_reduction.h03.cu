// SPDX-License-Identifier: Apache-2.0
// mistake: two: length 0 returns before output is set, so that it keeps what it held before; and the launch asks for
//   dynamic shared memory in elements, not bytes, a quarter of what partial[0 .. 255] needs.
// want: What is in *output after a call with length 0? Then: what is the unit of the third launch parameter, and how
//   far does `partial` reach with the number that you pass?

#include "coarsened_reduction.h"

constexpr int kCoarse = 8;

template <int Coarse>
__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  extern __shared__ float partial[];

  const int t = threadIdx.x;
  const int threads = blockDim.x;
  const int start = blockIdx.x * threads * Coarse + t;

  float sum = 0.0f;
#pragma unroll
  for (int c = 0; c < Coarse; ++c) {
    const int i = start + c * threads;
    if (i < length) sum += input[i];
  }
  partial[t] = sum;

  for (int stride = threads / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) {
      partial[t] += partial[t + stride];
    }
  }

  if (t == 0) {
    atomicAdd(output, partial[0]);
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  if (length <= 0) return;  // nothing to add, and a launch of no blocks is an error
  cudaMemset(output, 0, sizeof(float));

  const int threads = 256;
  const int segment = threads * kCoarse;
  const int blocks = (length + segment - 1) / segment;
  coarsened_reduction_kernel<kCoarse><<<blocks, threads, threads>>>(input, output, length);
}
