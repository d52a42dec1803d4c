// SPDX-License-Identifier: Apache-2.0
// mistake: the vector kernel is chosen for every multiple of 4, but it takes whole steps of 8 (width / STEP
//   phases, no check of k): at widths such as 4, 12 or 100 the last four products of each sum are missing.
// want: how many phases of 8 does width 100 have, and how many columns of M do they cover? Alignment asks for a
//   multiple of 4; what do the phases ask for?
#include "fast_matmul.h"

#define TILE 128
#define STEP 8
#define PATCH 8
#define THREADS 256

// 128 x 128 of P for a block, 8 x 8 for a thread, in four groups of 4 x 4 that lie 64 apart.
__global__ void __launch_bounds__(THREADS)
    fast_matmul_vector(const float* __restrict__ M, const float* __restrict__ N, float* __restrict__ P, int width) {
  __shared__ __align__(16) float Mts[STEP][TILE + 4];  // transposed
  __shared__ __align__(16) float Nds[STEP][TILE];

  const int t = threadIdx.x;
  const int row0 = blockIdx.y * TILE;
  const int col0 = blockIdx.x * TILE;
  const int ty = t / 16 * 4;
  const int tx = t % 16 * 4;

  // One vector of each matrix for each thread and phase.
  const int m_row = t / 2;
  const int m_col = t % 2 * 4;
  const int n_row = t / 32;
  const int n_col = t % 32 * 4;
  const bool m_exists = row0 + m_row < width;
  const bool n_exists = col0 + n_col < width;
  const float4 zero = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

  float sum[PATCH][PATCH] = {};

  const int phases = width / STEP;
  for (int phase = 0; phase < phases; ++phase) {
    const int k0 = phase * STEP;
    const float4 m =
        m_exists ? *reinterpret_cast<const float4*>(&M[(row0 + m_row) * width + k0 + m_col]) : zero;
    const float4 n =
        n_exists ? *reinterpret_cast<const float4*>(&N[(k0 + n_row) * width + col0 + n_col]) : zero;
    Mts[m_col + 0][m_row] = m.x;
    Mts[m_col + 1][m_row] = m.y;
    Mts[m_col + 2][m_row] = m.z;
    Mts[m_col + 3][m_row] = m.w;
    *reinterpret_cast<float4*>(&Nds[n_row][n_col]) = n;
    __syncthreads();

#pragma unroll
    for (int k = 0; k < STEP; ++k) {
      float a[PATCH], b[PATCH];
#pragma unroll
      for (int g = 0; g < 2; ++g) {
        *reinterpret_cast<float4*>(&a[4 * g]) = *reinterpret_cast<const float4*>(&Mts[k][ty + 64 * g]);
        *reinterpret_cast<float4*>(&b[4 * g]) = *reinterpret_cast<const float4*>(&Nds[k][tx + 64 * g]);
      }
#pragma unroll
      for (int i = 0; i < PATCH; ++i) {
#pragma unroll
        for (int j = 0; j < PATCH; ++j) {
          sum[i][j] += a[i] * b[j];
        }
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < PATCH; ++i) {
    const int row = row0 + ty + i / 4 * 64 + i % 4;
#pragma unroll
    for (int g = 0; g < 2; ++g) {
      const int col = col0 + tx + 64 * g;
      if (row < width && col < width) {
        *reinterpret_cast<float4*>(&P[row * width + col]) =
            make_float4(sum[i][4 * g], sum[i][4 * g + 1], sum[i][4 * g + 2], sum[i][4 * g + 3]);
      }
    }
  }
}

// For widths whose rows are not aligned.
__global__ void fast_matmul_any(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[32][32];
  __shared__ float Nds[32][32];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * 32 + ty;
  const int col = blockIdx.x * 32 + tx;

  float sum = 0.0f;
  for (int k0 = 0; k0 < width; k0 += 32) {
    Mds[ty][tx] = row < width && k0 + tx < width ? M[row * width + k0 + tx] : 0.0f;
    Nds[ty][tx] = k0 + ty < width && col < width ? N[(k0 + ty) * width + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 32; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    __syncthreads();
  }
  if (row < width && col < width) {
    P[row * width + col] = sum;
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  if (width % 4 == 0) {
    const int tiles = (width + TILE - 1) / TILE;
    fast_matmul_vector<<<dim3(tiles, tiles), THREADS>>>(M, N, P, width);
  } else {
    const int tiles = (width + 31) / 32;
    fast_matmul_any<<<dim3(tiles, tiles), dim3(32, 32)>>>(M, N, P, width);
  }
}
