// SPDX-License-Identifier: Apache-2.0
// differs: a thread's four columns are neighbours, not 32 apart: one float4 of N, of shared memory and of P, where width
// is a multiple of 4 and the pointers are aligned; single floats otherwise.

#include <cstdint>

#include "coarsened_matmul.h"

template <bool VECTORS>
__global__ void __launch_bounds__(1024) neighbours(const float* M, const float* N, float* P, int width) {
  __shared__ float m[32][32];
  __shared__ float4 n[32][32];  // 32 x 128 floats
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 32 + ty, col = (blockIdx.x * 32 + tx) * 4;

  float4 sum = {};
  for (int first = 0; first < width; first += 32) {
    const int n_row = first + ty;
    m[ty][tx] = row < width && first + tx < width ? M[row * width + first + tx] : 0.0f;
    float4 v = {};
    if constexpr (VECTORS) {
      if (n_row < width && col < width) v = *reinterpret_cast<const float4*>(N + n_row * width + col);
    } else if (n_row < width) {
      const float* const from = N + n_row * width;
      if (col < width) v.x = from[col];
      if (col + 1 < width) v.y = from[col + 1];
      if (col + 2 < width) v.z = from[col + 2];
      if (col + 3 < width) v.w = from[col + 3];
    }
    n[ty][tx] = v;
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < 32; ++k) {
      const float x = m[ty][k];
      const float4 y = n[k][tx];
      sum.x += x * y.x, sum.y += x * y.y, sum.z += x * y.z, sum.w += x * y.w;
    }
    __syncthreads();
  }

  if (row < width) {
    float* const to = P + row * width;
    if constexpr (VECTORS) {
      if (col < width) *reinterpret_cast<float4*>(to + col) = sum;
    } else {
      if (col < width) to[col] = sum.x;
      if (col + 1 < width) to[col + 1] = sum.y;
      if (col + 2 < width) to[col + 2] = sum.z;
      if (col + 3 < width) to[col + 3] = sum.w;
    }
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const auto aligned = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
  const dim3 grid((width + 127) / 128, (width + 31) / 32), block(32, 32);
  if (width % 4 == 0 && aligned(N) && aligned(P)) {
    neighbours<true><<<grid, block>>>(M, N, P, width);
  } else {
    neighbours<false><<<grid, block>>>(M, N, P, width);
  }
}
