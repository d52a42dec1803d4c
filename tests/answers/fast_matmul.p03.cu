// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: phases of only 8 with two barriers each: at width 256, 4 blocks x 8 warps x 32 phases x 2 = 2048
//   arrivals, where 1365 are allowed. And M's loads look whether the row exists, not whether k does: the factor 0 of N
//   keeps the values right, but in the last row they read past the end of M: width 100, phase 12, row 99 reads
//   M[10000] to M[10003].
// want: width 100, the last phase, the last row of M: which elements does its thread load, and where does M end? (Then:
//   how often does a warp come to a barrier at width 256, and what would halve it?)
#include "fast_matmul.h"

#define BM 128
#define BK 8

// A thread has rows y4 .. y4 + 3 and 64 + y4 .. 64 + y4 + 3, and columns likewise.
template <bool VECTOR>
__global__ void __launch_bounds__(256, 1) mm(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float mt[BK][BM + 4];
  __shared__ __align__(16) float nt[BK][BM];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int id = ty * 16 + tx;

  const int lm_r = id >> 1, lm_k = (id & 1) << 2;
  const int ln_k = id >> 5, ln_c = (id & 31) << 2;
  const bool m_ok = blockIdx.y * BM + lm_r < width;
  const int n_left = width - int(blockIdx.x * BM + ln_c);  // columns from here to the edge

  // both walk on with each phase
  const float* mp = M + (blockIdx.y * BM + lm_r) * width + lm_k;
  const float* np = N + ln_k * width + blockIdx.x * BM + ln_c;

  float r[8][8];
#pragma unroll
  for (int i = 0; i < 64; ++i) r[i / 8][i % 8] = 0.f;

  for (int k0 = 0; k0 < width; k0 += BK) {
    float4 mv = make_float4(0.f, 0.f, 0.f, 0.f), nv = mv;
    const bool n_ok = k0 + ln_k < width;  // rows of N below the last are 0, so it doesn't matter what M has there
    if (VECTOR) {
      if (m_ok) mv = *reinterpret_cast<const float4*>(mp);
      if (n_ok && n_left > 0) nv = *reinterpret_cast<const float4*>(np);
    } else {
      if (m_ok) mv = make_float4(mp[0], mp[1], mp[2], mp[3]);
      if (n_ok) {
        if (n_left > 0) nv.x = np[0];
        if (n_left > 1) nv.y = np[1];
        if (n_left > 2) nv.z = np[2];
        if (n_left > 3) nv.w = np[3];
      }
    }
    mp += BK;
    np += BK * width;

    mt[lm_k][lm_r] = mv.x;
    mt[lm_k + 1][lm_r] = mv.y;
    mt[lm_k + 2][lm_r] = mv.z;
    mt[lm_k + 3][lm_r] = mv.w;
    *reinterpret_cast<float4*>(&nt[ln_k][ln_c]) = nv;
    __syncthreads();

#pragma unroll
    for (int k = 0; k < BK; ++k) {
      float a[8], b[8];
      *reinterpret_cast<float4*>(a) = *reinterpret_cast<const float4*>(&mt[k][ty * 4]);
      *reinterpret_cast<float4*>(a + 4) = *reinterpret_cast<const float4*>(&mt[k][64 + ty * 4]);
      *reinterpret_cast<float4*>(b) = *reinterpret_cast<const float4*>(&nt[k][tx * 4]);
      *reinterpret_cast<float4*>(b + 4) = *reinterpret_cast<const float4*>(&nt[k][64 + tx * 4]);
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) r[i][j] = fmaf(a[i], b[j], r[i][j]);
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int row = blockIdx.y * BM + (i / 4) * 64 + ty * 4 + i % 4;
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int col = blockIdx.x * BM + (j / 4) * 64 + tx * 4 + j % 4;
      if (row < width && col < width) P[row * width + col] = r[i][j];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int g = (width + BM - 1) / BM;
  if (width % 4 == 0) {
    mm<true><<<dim3(g, g), dim3(16, 16)>>>(M, N, P, width);
  } else {
    mm<false><<<dim3(g, g), dim3(16, 16)>>>(M, N, P, width);
  }
}
