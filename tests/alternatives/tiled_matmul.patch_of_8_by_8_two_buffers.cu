// SPDX-License-Identifier: Apache-2.0
// differs: a thread computes 8 x 8 elements with two vectors of each tile for a step, so that a word from shared memory
// serves eight products; two pairs of tiles, and the next phase's elements are loaded in advance, the last time in vain.

#include "tiled_matmul.h"

constexpr int kSide = 64, kDeep = 8, kPatch = 8, kThreads = 64;

__global__ void __launch_bounds__(kThreads) patches(const float* M, const float* N, float* P, int width) {
  __shared__ float4 Mt[2][kDeep][kSide / 4], Nt[2][kDeep][kSide / 4];
  const int t = threadIdx.x, tx = t % 8, ty = t / 8, top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  float m_next[kSide * kDeep / kThreads], n_next[kSide * kDeep / kThreads], sum[kPatch][kPatch] = {};

  const auto fetch = [&](int first) {
    const int k = min(first, width - 1) / kDeep * kDeep;  // beyond the end: the last phase once more
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const int row = top + i * 8 + t / 8, m_col = k + t % 8, n_row = k + i, col = left + t;
      m_next[i] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
      n_next[i] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
    }
  };
  const auto put = [&](int buffer) {
    float* m = reinterpret_cast<float*>(Mt[buffer]);
    float* n = reinterpret_cast<float*>(Nt[buffer]);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      m[t % 8 * kSide + i * 8 + t / 8] = m_next[i];
      n[i * kSide + t] = n_next[i];
    }
  };

  fetch(0);
  put(0);
  __syncthreads();
  int buffer = 0;
  for (int first = 0; first < width; first += kDeep, buffer ^= 1) {
    fetch(first + kDeep);
#pragma unroll
    for (int k = 0; k < kDeep; ++k) {
      const float4 m[2] = {Mt[buffer][k][ty * 2], Mt[buffer][k][ty * 2 + 1]};
      const float4 n[2] = {Nt[buffer][k][tx * 2], Nt[buffer][k][tx * 2 + 1]};
      const float a[8] = {m[0].x, m[0].y, m[0].z, m[0].w, m[1].x, m[1].y, m[1].z, m[1].w};
      const float b[8] = {n[0].x, n[0].y, n[0].z, n[0].w, n[1].x, n[1].y, n[1].z, n[1].w};
#pragma unroll
      for (int r = 0; r < kPatch; ++r) {
#pragma unroll
        for (int c = 0; c < kPatch; ++c) sum[r][c] += a[r] * b[c];
      }
    }
    if (first + kDeep < width) put(buffer ^ 1);
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < kPatch; ++r) {
#pragma unroll
    for (int c = 0; c < kPatch; ++c) {
      const int row = top + ty * kPatch + r, col = left + tx * kPatch + c;
      if (row < width && col < width) P[row * width + col] = sum[r][c];
    }
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int blocks = (width + kSide - 1) / kSide;
  patches<<<dim3(blocks, blocks), kThreads>>>(M, N, P, width);
}
