// SPDX-License-Identifier: Apache-2.0
// mistake: double buffering with the one barrier of a phase on the wrong side: it stands before the stores into the
//   other buffer, not after them; the next phase reads that buffer while slower warps are still filling it (a race).
// want: One barrier a phase can be enough. Which two things must it keep apart: who wrote what, and who reads it next?
//   Where is a barrier between your stores into the next buffer and the loads from it?

#include "fast_matmul.h"

#define TILE 128
#define DEPTH 8
#define THREADS 256

__device__ float4 load4(const float* A, int r, int c, int width) {
  float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (r >= width) return v;
  const float* p = A + r * width + c;
  if (width % 4 == 0) {
    if (c < width) v = *reinterpret_cast<const float4*>(p);
  } else {
    if (c + 0 < width) v.x = p[0];
    if (c + 1 < width) v.y = p[1];
    if (c + 2 < width) v.z = p[2];
    if (c + 3 < width) v.w = p[3];
  }
  return v;
}

__device__ void store4(float* P, int r, int c, int width, const float* s) {
  if (r >= width) return;
  float* p = P + r * width + c;
  if (width % 4 == 0) {
    if (c < width) *reinterpret_cast<float4*>(p) = make_float4(s[0], s[1], s[2], s[3]);
  } else {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if (c + j < width) p[j] = s[j];
    }
  }
}

__global__ void __launch_bounds__(THREADS) fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float Mds[2][DEPTH][TILE];  // M's tile lies on its side
  __shared__ __align__(16) float Nds[2][DEPTH][TILE];

  const int t = threadIdx.x;
  const int row0 = blockIdx.y * TILE;
  const int col0 = blockIdx.x * TILE;

  // what this thread carries
  const int m_row = t % TILE, m_k = t / TILE * 4;
  const int n_k = t / 32, n_col = t % 32 * 4;

  // what it computes: rows y .. y + 3 and 64 more, columns x .. x + 3 and 64 more
  const int x = t % 16 * 4;
  const int y = t / 16 * 4;

  float sum[8][8] = {};

  float4 m = load4(M, row0 + m_row, m_k, width);
  float4 n = load4(N, n_k, col0 + n_col, width);
  Mds[0][m_k + 0][m_row] = m.x;
  Mds[0][m_k + 1][m_row] = m.y;
  Mds[0][m_k + 2][m_row] = m.z;
  Mds[0][m_k + 3][m_row] = m.w;
  *reinterpret_cast<float4*>(&Nds[0][n_k][n_col]) = n;
  __syncthreads();

  const int phases = (width + DEPTH - 1) / DEPTH;
  int now = 0;
  for (int phase = 0; phase < phases; ++phase) {
    const bool more = phase + 1 < phases;
    if (more) {
      const int k0 = (phase + 1) * DEPTH;
      m = load4(M, row0 + m_row, k0 + m_k, width);
      n = load4(N, k0 + n_k, col0 + n_col, width);
    }

#pragma unroll
    for (int k = 0; k < DEPTH; ++k) {
      __align__(16) float a[8];
      __align__(16) float b[8];
      *reinterpret_cast<float4*>(a) = *reinterpret_cast<const float4*>(&Mds[now][k][y]);
      *reinterpret_cast<float4*>(a + 4) = *reinterpret_cast<const float4*>(&Mds[now][k][y + 64]);
      *reinterpret_cast<float4*>(b) = *reinterpret_cast<const float4*>(&Nds[now][k][x]);
      *reinterpret_cast<float4*>(b + 4) = *reinterpret_cast<const float4*>(&Nds[now][k][x + 64]);
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) {
          sum[i][j] += a[i] * b[j];
        }
      }
    }

    __syncthreads();  // everybody is done with this phase
    now = 1 - now;
    if (more) {
      Mds[now][m_k + 0][m_row] = m.x;
      Mds[now][m_k + 1][m_row] = m.y;
      Mds[now][m_k + 2][m_row] = m.z;
      Mds[now][m_k + 3][m_row] = m.w;
      *reinterpret_cast<float4*>(&Nds[now][n_k][n_col]) = n;
    }
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int r = row0 + y + (i < 4 ? i : 60 + i);
    store4(P, r, col0 + x, width, &sum[i][0]);
    store4(P, r, col0 + x + 64, width, &sum[i][4]);
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE - 1) / TILE;
  fast_matmul_kernel<<<dim3(tiles, tiles), THREADS>>>(M, N, P, width);
}
