// SPDX-License-Identifier: Apache-2.0
// mistake: a thread's patch has 8 neighbouring columns, so that the float4 that neighbouring threads load from N's tile
//   lie 8 floats apart: lanes 0 and 4 of each quarter meet in the same banks, a 2-way conflict in every one of these
//   loads. P is right.
// want: From which words of N's tile do lanes 0 to 7 load their first float4, and which banks are those? What if a patch
//   consisted of two pieces of 4 columns, so that neighbouring lanes load neighbouring float4?
#include "fast_matmul.h"

// A block of 8 x 8 threads has a tile of 64 x 64, a thread 8 x 8 elements of it.
constexpr int B = 64;
constexpr int K = 16;
constexpr int R = 8;

__global__ void fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float A_s[K][B + 4];  // M's tile, columns as rows
  __shared__ __align__(16) float B_s[K][B];

  const int id = threadIdx.x;
  const int px = id % R;
  const int py = id / R;
  const int top = blockIdx.y * B;
  const int left = blockIdx.x * B;

  float c[R][R];
#pragma unroll
  for (int i = 0; i < R; ++i)
#pragma unroll
    for (int j = 0; j < R; ++j) c[i][j] = 0.0f;

  for (int k0 = 0; k0 < width; k0 += K) {
    // M: 8 x 8 elements at a time
#pragma unroll
    for (int e = 0; e < 16; ++e) {
      const int k = px + 8 * (e % 2);
      const int r = py + 8 * (e / 2);
      A_s[k][r] = top + r < width && k0 + k < width ? M[(top + r) * width + k0 + k] : 0.0f;
    }
    // N: one row at a time
#pragma unroll
    for (int k = 0; k < K; ++k) {
      B_s[k][id] = k0 + k < width && left + id < width ? N[(k0 + k) * width + left + id] : 0.0f;
    }
    __syncthreads();

#pragma unroll 4
    for (int k = 0; k < K; ++k) {
      const float4 a_lo = *reinterpret_cast<const float4*>(&A_s[k][py * R]);
      const float4 a_hi = *reinterpret_cast<const float4*>(&A_s[k][py * R + 4]);
      const float4 b_lo = *reinterpret_cast<const float4*>(&B_s[k][px * R]);
      const float4 b_hi = *reinterpret_cast<const float4*>(&B_s[k][px * R + 4]);
      const float a[R] = {a_lo.x, a_lo.y, a_lo.z, a_lo.w, a_hi.x, a_hi.y, a_hi.z, a_hi.w};
      const float b[R] = {b_lo.x, b_lo.y, b_lo.z, b_lo.w, b_hi.x, b_hi.y, b_hi.z, b_hi.w};
#pragma unroll
      for (int i = 0; i < R; ++i)
#pragma unroll
        for (int j = 0; j < R; ++j) c[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < R; ++i) {
    const int row = top + py * R + i;
    if (row >= width) continue;
#pragma unroll
    for (int j = 0; j < R; ++j) {
      const int col = left + px * R + j;
      if (col < width) P[row * width + col] = c[i][j];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const unsigned int n = (width + B - 1) / B;
  fast_matmul_kernel<<<dim3(n, n), R * R>>>(M, N, P, width);
}
