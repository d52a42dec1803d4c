// SPDX-License-Identifier: Apache-2.0
// mistake: fetches the next phase's tiles into registers while it multiplies, and then stores them into the same
//   shared tiles without a barrier before: a warp that is done overwrites what slower warps still read. There is one
//   barrier a phase, behind the stores.
// want: A quick warp stores the next tiles while a slow one is at k = 3: which tile does the slow one read at k = 4?
//   What must be sure before the first store of the next tiles?
#include "fast_matmul.h"

#define TILE 128  // of P, for a block
#define HALF (TILE / 2)
#define STEP 16   // columns of M and rows of N, for a phase
#define PATCH 8   // a thread computes PATCH x PATCH elements
#define SIDE (TILE / PATCH)

__global__ void fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float Mds[STEP][TILE + 4];  // transposed
  __shared__ __align__(16) float Nds[STEP][TILE];

  const int t = threadIdx.x;
  const int tx = t % SIDE;
  const int ty = t / SIDE;
  const int first_row = blockIdx.y * TILE;
  const int first_col = blockIdx.x * TILE;

  float m_next[8], n_next[8];
  const auto fetch = [&](int start) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const int m_row = first_row + t / STEP + i * 16;
      const int m_col = start + t % STEP;
      m_next[i] = m_row < width && m_col < width ? M[m_row * width + m_col] : 0.0f;

      const int n_row = start + t / TILE + i * 2;
      const int n_col = first_col + t % TILE;
      n_next[i] = n_row < width && n_col < width ? N[n_row * width + n_col] : 0.0f;
    }
  };
  const auto put = [&] {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      Mds[t % STEP][t / STEP + i * 16] = m_next[i];
      Nds[t / TILE + i * 2][t % TILE] = n_next[i];
    }
  };

  // A patch is four pieces of 4 x 4, HALF apart.
  float sum[PATCH][PATCH] = {};

  fetch(0);
  put();
  __syncthreads();
  for (int start = 0; start < width; start += STEP) {
    const bool more = start + STEP < width;
    if (more) fetch(start + STEP);

#pragma unroll
    for (int k = 0; k < STEP; ++k) {
      const float4 m0 = *reinterpret_cast<const float4*>(&Mds[k][ty * 4]);
      const float4 m1 = *reinterpret_cast<const float4*>(&Mds[k][ty * 4 + HALF]);
      const float4 n0 = *reinterpret_cast<const float4*>(&Nds[k][tx * 4]);
      const float4 n1 = *reinterpret_cast<const float4*>(&Nds[k][tx * 4 + HALF]);
      const float a[] = {m0.x, m0.y, m0.z, m0.w, m1.x, m1.y, m1.z, m1.w};
      const float b[] = {n0.x, n0.y, n0.z, n0.w, n1.x, n1.y, n1.z, n1.w};
#pragma unroll
      for (int i = 0; i < PATCH; ++i) {
#pragma unroll
        for (int j = 0; j < PATCH; ++j) {
          sum[i][j] += a[i] * b[j];
        }
      }
    }

    if (more) put();
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < PATCH; ++i) {
#pragma unroll
    for (int j = 0; j < PATCH; ++j) {
      const int row = first_row + ty * 4 + i % 4 + i / 4 * HALF;
      const int col = first_col + tx * 4 + j % 4 + j / 4 * HALF;
      if (row < width && col < width) P[row * width + col] = sum[i][j];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE - 1) / TILE;
  fast_matmul_kernel<<<dim3(tiles, tiles), SIDE * SIDE>>>(M, N, P, width);
}
