// SPDX-License-Identifier: Apache-2.0
// mistake: the input is seen as length / 4 vectors of four, and nobody adds the one to three floats that are left
//   over when length is no multiple of 4; with less than four elements the sum is even 0.
// want: How many elements does your kernel add in all if length is 1027? Which ones are missing?

#include "coarsened_reduction.h"

constexpr int kBlock = 256;
constexpr int kVectors = 2;  // for each thread, of four floats: eight elements

__device__ float warp_sum(float v) {
  for (int offset = 16; offset > 0; offset /= 2) {
    v += __shfl_xor_sync(0xffffffffu, v, offset);
  }
  return v;
}

template <int VECTORS>
__global__ void coarsened_reduction_kernel(const float4* input, float* output, int vectors) {
  __shared__ float of_warp[kBlock / 32];

  const int t = threadIdx.x;
  const int begin = blockIdx.x * kBlock * VECTORS + t;

  float sum = 0.0f;
#pragma unroll
  for (int c = 0; c < VECTORS; ++c) {
    const int i = begin + c * kBlock;
    if (i < vectors) {
      const float4 v = input[i];
      sum += (v.x + v.y) + (v.z + v.w);
    }
  }

  sum = warp_sum(sum);
  if (t % 32 == 0) of_warp[t / 32] = sum;
  __syncthreads();

  if (t < 32) {
    const float total = warp_sum(t < kBlock / 32 ? of_warp[t] : 0.0f);
    if (t == 0) atomicAdd(output, total);
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  cudaMemset(output, 0, sizeof(float));

  const int vectors = length / 4;
  const int blocks = (vectors + kBlock * kVectors - 1) / (kBlock * kVectors);
  if (blocks == 0) return;  // empty
  coarsened_reduction_kernel<kVectors>
      <<<blocks, kBlock>>>(reinterpret_cast<const float4*>(input), output, vectors);
}
