// SPDX-License-Identifier: Apache-2.0
// mistake: double buffering with the one barrier in front of the stores into the next buffer instead of behind them:
//   nobody waits between filling a buffer and reading it in the next phase.
// want: In phase 1 a thread reads what others stored at the end of phase 0: which barrier lies between that store and
//   this read? One a phase is enough, in the right place.
#include "fast_matmul.h"

constexpr int kTile = 128;
constexpr int kDepth = 8;

// A[r][c ... c + 3], or what there is of it
__device__ __forceinline__ float4 fetch(const float* A, int r, int c, int width, bool vector) {
  float4 v = {0.0f, 0.0f, 0.0f, 0.0f};
  if (r < width) {
    const float* p = A + (size_t)r * width + c;
    if (vector) {  // then c < width means that all four exist
      if (c < width) v = *(const float4*)p;
    } else {
      if (c + 0 < width) v.x = p[0];
      if (c + 1 < width) v.y = p[1];
      if (c + 2 < width) v.z = p[2];
      if (c + 3 < width) v.w = p[3];
    }
  }
  return v;
}

__global__ void __launch_bounds__(256) fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float Ms[2][kDepth][kTile + 4];
  __shared__ __align__(16) float Ns[2][kDepth][kTile];

  const bool vector = width % 4 == 0;
  const int t = threadIdx.x;
  const int tx = t & 15;
  const int ty = t >> 4;
  const int row0 = blockIdx.y * kTile;
  const int col0 = blockIdx.x * kTile;

  const int m_row = t >> 1, m_k = (t & 1) * 4;
  const int n_k = t >> 5, n_col = (t & 31) * 4;

  float sum[8][8] = {};

  // the first tiles
  float4 m4 = fetch(M, row0 + m_row, m_k, width, vector);
  float4 n4 = fetch(N, n_k, col0 + n_col, width, vector);
  Ms[0][m_k + 0][m_row] = m4.x;
  Ms[0][m_k + 1][m_row] = m4.y;
  Ms[0][m_k + 2][m_row] = m4.z;
  Ms[0][m_k + 3][m_row] = m4.w;
  *(float4*)&Ns[0][n_k][n_col] = n4;
  __syncthreads();

  const int phases = (width + kDepth - 1) / kDepth;
  for (int phase = 0; phase < phases; ++phase) {
    const int now = phase & 1;
    const bool more = phase + 1 < phases;

    // the next ones are on their way while these are multiplied
    if (more) {
      m4 = fetch(M, row0 + m_row, (phase + 1) * kDepth + m_k, width, vector);
      n4 = fetch(N, (phase + 1) * kDepth + n_k, col0 + n_col, width, vector);
    }

#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      float m[8], n[8];
      *(float4*)&m[0] = *(const float4*)&Ms[now][k][ty * 4];
      *(float4*)&m[4] = *(const float4*)&Ms[now][k][ty * 4 + 64];
      *(float4*)&n[0] = *(const float4*)&Ns[now][k][tx * 4];
      *(float4*)&n[4] = *(const float4*)&Ns[now][k][tx * 4 + 64];
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] = fmaf(m[i], n[j], sum[i][j]);
    }

    if (more) {
      // all threads are done with the old buffer
      __syncthreads();
      const int next = now ^ 1;
      Ms[next][m_k + 0][m_row] = m4.x;
      Ms[next][m_k + 1][m_row] = m4.y;
      Ms[next][m_k + 2][m_row] = m4.z;
      Ms[next][m_k + 3][m_row] = m4.w;
      *(float4*)&Ns[next][n_k][n_col] = n4;
    }
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int row = row0 + ty * 4 + (i & 3) + (i >> 2) * 64;
    if (row >= width) continue;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int col = col0 + tx * 4 + half * 64;
      float* p = P + (size_t)row * width + col;
      if (vector) {
        if (col < width)
          *(float4*)p = make_float4(sum[i][half * 4], sum[i][half * 4 + 1], sum[i][half * 4 + 2], sum[i][half * 4 + 3]);
      } else {
#pragma unroll
        for (int j = 0; j < 4; ++j)
          if (col + j < width) p[j] = sum[i][half * 4 + j];
      }
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + kTile - 1) / kTile;
  fast_matmul_kernel<<<dim3(tiles, tiles), 256>>>(M, N, P, width);
}
