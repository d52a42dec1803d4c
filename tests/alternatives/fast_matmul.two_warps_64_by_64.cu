// SPDX-License-Identifier: Apache-2.0
// differs: small blocks of two warps, tiles of 64 x 64, 16 deep, a patch of 8 x 8 a thread; single buffered with register
// prefetch and two barriers a phase; macros instead of templates. Byte order mark, Chinese comments.

#include "fast_matmul.h"

#define SPAN 64
#define DEEP 16
#define THREADS 64
#define F4(x) (*reinterpret_cast<float4*>(&(x)))
#define CF4(x) (*reinterpret_cast<const float4*>(&(x)))

__global__ void __launch_bounds__(THREADS) two_warps(const float* __restrict__ M, const float* __restrict__ N, float* __restrict__ P, int width) {
  __shared__ __align__(16) float m[DEEP][SPAN + 4];  // 转置存放
  __shared__ __align__(16) float n[DEEP][SPAN];

  const int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  const int top = blockIdx.y * SPAN, left = blockIdx.x * SPAN;
  const bool vectors = (width & 3) == 0;
  const int row = warp * 32 + (lane >> 3) * 4, col = (lane & 7) * 4;

  float next_m[16];
  float4 next_n[4];
  float sum[8][8] = {};

  // 从全局内存取下一阶段的元素
  auto fetch = [&](int first) {
#pragma unroll
    for (int e = 0; e < 16; ++e) {
      const int r = top + (e / 2) * 8 + t / 8, c = first + e % 2 * 8 + t % 8;
      next_m[e] = r < width && c < width ? M[r * width + c] : 0.0f;
    }
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int r = first + e * 4 + t / 16, c = left + t % 16 * 4;
      const float* const from = N + r * width + c;
      float4 v = {0.0f, 0.0f, 0.0f, 0.0f};
      if (r < width) {
        if (vectors) {
          if (c < width) v = CF4(*from);
        } else {
          if (c < width) v.x = from[0];
          if (c + 1 < width) v.y = from[1];
          if (c + 2 < width) v.z = from[2];
          if (c + 3 < width) v.w = from[3];
        }
      }
      next_n[e] = v;
    }
  };

  fetch(0);
  for (int first = 0; first < width; first += DEEP) {
    if (first) __syncthreads();
#pragma unroll
    for (int e = 0; e < 16; ++e) m[e % 2 * 8 + t % 8][(e / 2) * 8 + t / 8] = next_m[e];
#pragma unroll
    for (int e = 0; e < 4; ++e) F4(n[e * 4 + t / 16][t % 16 * 4]) = next_n[e];
    __syncthreads();
    if (first + DEEP < width) fetch(first + DEEP);
#pragma unroll
    for (int k = 0; k < DEEP; ++k) {
      float a[8], b[8];
      F4(a[0]) = CF4(m[k][row]);
      F4(a[4]) = CF4(m[k][row + 16]);
      F4(b[0]) = CF4(n[k][col]);
      F4(b[4]) = CF4(n[k][col + 32]);
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] += a[i] * b[j];
    }
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int r = top + row + (i < 4 ? i : i + 12);
    if (r >= width) continue;
#pragma unroll
    for (int j = 0; j < 8; j += 4) {
      const int c = left + col + j * 8;
      float* const to = P + r * width + c;
      if (vectors && c < width) {
        F4(*to) = F4(sum[i][j]);
      } else {
#pragma unroll
        for (int e = 0; e < 4; ++e) if (c + e < width) to[e] = sum[i][j + e];
      }
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const unsigned tiles = (width + SPAN - 1) / SPAN;
  two_warps<<<dim3(tiles, tiles), THREADS>>>(M, N, P, width);
}
