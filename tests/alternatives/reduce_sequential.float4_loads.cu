// SPDX-License-Identifier: Apache-2.0
// differs: 64 threads a segment, each loads a float4 where all four exist and X is aligned; a tree in dynamic shared
// memory with constant strides (template recursion), the last 32 in registers.

#include <cstdint>

#include "reduce_sequential.h"

template <int STRIDE>
__device__ __forceinline__ void tree(float* partial, int t) {
  if constexpr (STRIDE >= 32) {
    if (t < STRIDE) partial[t] += partial[t + STRIDE];
    __syncthreads();
    tree<STRIDE / 2>(partial, t);
  }
}

__global__ void __launch_bounds__(64) vector_kernel(const float* X, float* sums, int n, bool aligned) {
  extern __shared__ float partial[];
  const int t = threadIdx.x;
  const int first = blockIdx.x * SEGMENT + 4 * t;

  float sum = 0.0f;
  if (aligned && (blockIdx.x + 1) * SEGMENT <= n) {
    const float4 four = *reinterpret_cast<const float4*>(X + first);
    sum = (four.x + four.y) + (four.z + four.w);
  } else {
    for (int i = blockIdx.x * SEGMENT + t; i < n && i < (blockIdx.x + 1) * SEGMENT; i += 64) sum += X[i];
  }
  partial[t] = sum;
  __syncthreads();
  tree<32>(partial, t);
  if (t >= 32) return;

  sum = partial[t];
  for (int mask = 16; mask; mask /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, mask);
  if (t == 0) sums[blockIdx.x] = sum;
}

void reduce_sequential(const float* X, float* sums, int n) {
  const bool aligned = reinterpret_cast<std::uintptr_t>(X) % alignof(float4) == 0;
  vector_kernel<<<(n + SEGMENT - 1) / SEGMENT, 64, 64 * sizeof(float)>>>(X, sums, n, aligned);
}
