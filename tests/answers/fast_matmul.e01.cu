// SPDX-License-Identifier: Apache-2.0
// mistake: the loads use float4 only where width is a multiple of 4, but the stores of P wherever all four columns
//   exist; with width 129 or 130 the rows of P do not begin at a multiple of 16 bytes, and the store is misaligned.
// want: You asked two things before a float4 load. Which of them did you ask before the float4 store? At which
//   byte does row 1 of P begin when width is 129?

#include "fast_matmul.h"

#define TILE 128  // of P, for a block of 16 x 16 threads
#define DEPTH 16  // of a phase

// Four neighbours of a row; 0 where they do not exist.
__device__ __forceinline__ float4 load4(const float* A, int row, int col, int width) {
  float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (row >= width) return v;
  const float* from = A + row * width + col;
  if (width % 4 == 0 && col + 3 < width) return *reinterpret_cast<const float4*>(from);
  if (col < width) v.x = from[0];
  if (col + 1 < width) v.y = from[1];
  if (col + 2 < width) v.z = from[2];
  if (col + 3 < width) v.w = from[3];
  return v;
}

__device__ __forceinline__ void store4(float* P, int row, int col, int width, float4 v) {
  if (row >= width) return;
  float* to = P + row * width + col;
  if (col + 3 < width) {
    *reinterpret_cast<float4*>(to) = v;
    return;
  }
  if (col < width) to[0] = v.x;
  if (col + 1 < width) to[1] = v.y;
  if (col + 2 < width) to[2] = v.z;
}

// P = M x N. A thread owns four patches of 4 x 4, 64 rows and columns apart.
__global__ void __launch_bounds__(256) fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float Mds[DEPTH][TILE];  // transposed
  __shared__ __align__(16) float Nds[DEPTH][TILE];

  const int t = threadIdx.x;
  const int tx = t % 16;
  const int ty = t / 16;
  const int row0 = blockIdx.y * TILE;
  const int col0 = blockIdx.x * TILE;

  float sum[8][8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
#pragma unroll
    for (int j = 0; j < 8; ++j) sum[i][j] = 0.0f;
  }

  for (int k0 = 0; k0 < width; k0 += DEPTH) {
    const int m_row = t % TILE;
    const int m_k = t / TILE * 8;
#pragma unroll
    for (int h = 0; h < 8; h += 4) {
      const float4 v = load4(M, row0 + m_row, k0 + m_k + h, width);
      Mds[m_k + h + 0][m_row] = v.x;
      Mds[m_k + h + 1][m_row] = v.y;
      Mds[m_k + h + 2][m_row] = v.z;
      Mds[m_k + h + 3][m_row] = v.w;
    }
    const int n_k = t / 32;
    const int n_col = t % 32 * 4;
#pragma unroll
    for (int h = 0; h < DEPTH; h += 8) {
      *reinterpret_cast<float4*>(&Nds[n_k + h][n_col]) = load4(N, k0 + n_k + h, col0 + n_col, width);
    }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < DEPTH; ++k) {
      const float4 a0 = *reinterpret_cast<const float4*>(&Mds[k][4 * ty]);
      const float4 a1 = *reinterpret_cast<const float4*>(&Mds[k][4 * ty + 64]);
      const float4 b0 = *reinterpret_cast<const float4*>(&Nds[k][4 * tx]);
      const float4 b1 = *reinterpret_cast<const float4*>(&Nds[k][4 * tx + 64]);
      const float a[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
      const float b[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] += a[i] * b[j];
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int row = row0 + 4 * ty + i % 4 + i / 4 * 64;
    store4(P, row, col0 + 4 * tx, width, make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]));
    store4(P, row, col0 + 4 * tx + 64, width, make_float4(sum[i][4], sum[i][5], sum[i][6], sum[i][7]));
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE - 1) / TILE;
  fast_matmul_kernel<<<dim3(tiles, tiles), 256>>>(M, N, P, width);
}
