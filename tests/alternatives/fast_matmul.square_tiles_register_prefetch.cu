// SPDX-License-Identifier: Apache-2.0
// differs: tiles of 128 x 128 with 256 threads, 8 deep; no asynchronous copies: the next phase's elements wait in
// registers, two buffers, one barrier a phase.

#include "fast_matmul.h"

namespace {

constexpr int kSpan = 128, kDeep = 8, kThreads = 256, kPitch = kSpan + 4;

template <bool VECTORS>
__device__ __forceinline__ float4 four(const float* from, int row, int col, int width) {
  float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (row < width) {
    from += row * width + col;
    if (VECTORS) {
      if (col < width) v = *reinterpret_cast<const float4*>(from);
    } else {
      if (col < width) v.x = from[0];
      if (col + 1 < width) v.y = from[1];
      if (col + 2 < width) v.z = from[2];
      if (col + 3 < width) v.w = from[3];
    }
  }
  return v;
}

template <bool VECTORS>
__global__ void __launch_bounds__(kThreads) square_tiles(const float* __restrict__ M, const float* __restrict__ N,
                                                         float* __restrict__ P, int width) {
  __shared__ alignas(16) float m[2][kDeep][kPitch];  // turned
  __shared__ alignas(16) float n[2][kDeep][kSpan];

  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const int top = blockIdx.y * kSpan, left = blockIdx.x * kSpan;
  const int m_row = t / 2, m_col = t % 2 * 4, n_row = t / 32, n_col = t % 32 * 4;  // what it loads
  const int row = warp / 2 * 32 + lane / 8 * 4, col = warp % 2 * 64 + lane % 8 * 4;  // what it computes: and + 16, + 32

  float sum[8][8] = {};
  float4 next_m = four<VECTORS>(M, top + m_row, m_col, width);
  float4 next_n = four<VECTORS>(N, n_row, left + n_col, width);
  for (int first = 0, use = 0; first < width; first += kDeep, use ^= 1) {
    m[use][m_col][m_row] = next_m.x;
    m[use][m_col + 1][m_row] = next_m.y;
    m[use][m_col + 2][m_row] = next_m.z;
    m[use][m_col + 3][m_row] = next_m.w;
    *reinterpret_cast<float4*>(&n[use][n_row][n_col]) = next_n;
    __syncthreads();
    if (first + kDeep < width) {
      next_m = four<VECTORS>(M, top + m_row, first + kDeep + m_col, width);
      next_n = four<VECTORS>(N, first + kDeep + n_row, left + n_col, width);
    }
#pragma unroll
    for (int k = 0; k < kDeep; ++k) {
      const float4 a0 = *reinterpret_cast<const float4*>(&m[use][k][row]);
      const float4 a1 = *reinterpret_cast<const float4*>(&m[use][k][row + 16]);
      const float4 b0 = *reinterpret_cast<const float4*>(&n[use][k][col]);
      const float4 b1 = *reinterpret_cast<const float4*>(&n[use][k][col + 32]);
      const float a[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
      const float b[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] = fmaf(a[i], b[j], sum[i][j]);
    }
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int r = top + row + i % 4 + i / 4 * 16;
    if (r < width) {
#pragma unroll
      for (int j = 0; j < 8; j += 4) {
        const int c = left + col + j * 8;
        if (VECTORS) {
          if (c < width) *reinterpret_cast<float4*>(P + r * width + c) = make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
        } else {
#pragma unroll
          for (int e = 0; e < 4; ++e)
            if (c + e < width) P[r * width + c + e] = sum[i][j + e];
        }
      }
    }
  }
}

}  // namespace

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + kSpan - 1) / kSpan;
  (width % 4 ? square_tiles<false> : square_tiles<true>)<<<dim3(tiles, tiles), kThreads>>>(M, N, P, width);
}
