// SPDX-License-Identifier: Apache-2.0
// differs: a thread's patch has 16 rows and 4 columns, a block's tile 128 x 64 with 128 threads; the tile of M is put in
// order by an exclusive or instead of padding; no newline at the end.

#include "fast_matmul.h"

constexpr int kRows = 128, kCols = 64, kDeep = 16, kBlock = 128;

// Where (k, row) of M's tile lies: whole groups of four rows change places, so that float4s stay together.
__device__ __forceinline__ int at(int k, int row) { return k * kRows + (row ^ (k % 8) * 4); }

template <bool VECTORS>
__global__ void __launch_bounds__(kBlock, 2) oblong(const float* __restrict__ M, const float* __restrict__ N, float* __restrict__ P, int width) {
  __shared__ __align__(16) float m[2][kDeep * kRows];
  __shared__ __align__(16) float n[2][kDeep][kCols];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const int top = blockIdx.y * kRows, left = blockIdx.x * kCols;
  const int row = (warp / 2 * 4 + lane / 8) * 4, col = (warp % 2 * 8 + lane % 8) * 4;  // rows and + 32, + 64, + 96

  float next_m[16];
  float4 next_n[2];
  const auto fetch = [&](int first) {
#pragma unroll
    for (int e = 0; e < 16; ++e) {
      const int r = top + e / 2 * 16 + t / 8, c = first + e % 2 * 8 + t % 8;
      next_m[e] = r < width && c < width ? M[r * width + c] : 0.0f;
    }
#pragma unroll
    for (int e = 0; e < 2; ++e) {
      const int r = first + e * 8 + t / 16, c = left + t % 16 * 4;
      float4 v = make_float4(0, 0, 0, 0);
      if (VECTORS) {
        if (r < width && c < width) v = *reinterpret_cast<const float4*>(N + r * width + c);
      } else if (r < width) {
        if (c < width) v.x = N[r * width + c];
        if (c + 1 < width) v.y = N[r * width + c + 1];
        if (c + 2 < width) v.z = N[r * width + c + 2];
        if (c + 3 < width) v.w = N[r * width + c + 3];
      }
      next_n[e] = v;
    }
  };

  float sum[16][4] = {};
  fetch(0);
  int use = 0;
  for (int first = 0; first < width; first += kDeep) {
#pragma unroll
    for (int e = 0; e < 16; ++e) m[use][at(e % 2 * 8 + t % 8, e / 2 * 16 + t / 8)] = next_m[e];
#pragma unroll
    for (int e = 0; e < 2; ++e) *reinterpret_cast<float4*>(&n[use][e * 8 + t / 16][t % 16 * 4]) = next_n[e];
    __syncthreads();
    if (first + kDeep < width) fetch(first + kDeep);
#pragma unroll
    for (int k = 0; k < kDeep; ++k) {
      const float4 b = *reinterpret_cast<const float4*>(&n[use][k][col]);
#pragma unroll
      for (int g = 0; g < 4; ++g) {
        const float4 a = *reinterpret_cast<const float4*>(&m[use][at(k, row + 32 * g)]);
        const float of_row[4] = {a.x, a.y, a.z, a.w};
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          sum[4 * g + i][0] += of_row[i] * b.x;
          sum[4 * g + i][1] += of_row[i] * b.y;
          sum[4 * g + i][2] += of_row[i] * b.z;
          sum[4 * g + i][3] += of_row[i] * b.w;
        }
      }
    }
    use ^= 1;
  }

#pragma unroll
  for (int i = 0; i < 16; ++i) {
    const int r = top + row + i % 4 + i / 4 * 32, c = left + col;
    if (r < width) {
      if (VECTORS) {
        if (c < width) *reinterpret_cast<float4*>(&P[r * width + c]) = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
      } else {
#pragma unroll
        for (int j = 0; j < 4; ++j)
          if (c + j < width) P[r * width + c + j] = sum[i][j];
      }
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 grid((width + kCols - 1) / kCols, (width + kRows - 1) / kRows);
  if (width % 4 == 0) oblong<true><<<grid, kBlock>>>(M, N, P, width);
  else oblong<false><<<grid, kBlock>>>(M, N, P, width);
}