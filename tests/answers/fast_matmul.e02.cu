// SPDX-License-Identifier: Apache-2.0
// mistake: of the two buffers the next one is filled after the barrier of the phase, and read at once in the next
//   phase: nothing lies between a thread's store into it and the other threads' loads from it.
// want: Thread 0 fills its part of the other buffer and goes on to multiply from it. What has made sure that
//   thread 200 has filled its part? Where, in one turn of your loop, is the barrier needed?

#include "fast_matmul.h"

constexpr int kTile = 128;
constexpr int kDepth = 8;

__device__ __forceinline__ float4 load4(const float* A, int row, int col, int width) {
  if (row < width && width % 4 == 0 && col < width) {
    return *reinterpret_cast<const float4*>(A + row * width + col);
  }
  float v[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) v[i] = row < width && col + i < width ? A[row * width + col + i] : 0.0f;
  return make_float4(v[0], v[1], v[2], v[3]);
}

// P = M x N, double-buffered.
__global__ void __launch_bounds__(256) fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float Mds[2][kDepth][kTile];
  __shared__ __align__(16) float Nds[2][kDepth][kTile];

  const int t = threadIdx.x;
  const int tx = t % 16;
  const int ty = t / 16;
  const int row0 = blockIdx.y * kTile;
  const int col0 = blockIdx.x * kTile;

  // what this thread carries
  const int m_row = t % kTile;
  const int m_k = t / kTile * 4;
  const int n_k = t / 32;
  const int n_col = t % 32 * 4;

  float sum[8][8] = {};
  int now = 0;

  float4 m = load4(M, row0 + m_row, m_k, width);
  float4 n = load4(N, n_k, col0 + n_col, width);
  Mds[0][m_k + 0][m_row] = m.x;
  Mds[0][m_k + 1][m_row] = m.y;
  Mds[0][m_k + 2][m_row] = m.z;
  Mds[0][m_k + 3][m_row] = m.w;
  *reinterpret_cast<float4*>(&Nds[0][n_k][n_col]) = n;
  __syncthreads();

  for (int k0 = 0; k0 < width; k0 += kDepth) {
    const bool more = k0 + kDepth < width;
    if (more) {  // on their way while we multiply
      m = load4(M, row0 + m_row, k0 + kDepth + m_k, width);
      n = load4(N, k0 + kDepth + n_k, col0 + n_col, width);
    }

#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      const float4 a0 = *reinterpret_cast<const float4*>(&Mds[now][k][4 * ty]);
      const float4 a1 = *reinterpret_cast<const float4*>(&Mds[now][k][4 * ty + 64]);
      const float4 b0 = *reinterpret_cast<const float4*>(&Nds[now][k][4 * tx]);
      const float4 b1 = *reinterpret_cast<const float4*>(&Nds[now][k][4 * tx + 64]);
      const float a[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
      const float b[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] = fmaf(a[i], b[j], sum[i][j]);
      }
    }

    // all have multiplied, now the other buffer may be filled
    __syncthreads();
    now ^= 1;
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
    const int row = row0 + 4 * ty + i % 4 + i / 4 * 64;
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int col = col0 + 4 * tx + j % 4 + j / 4 * 64;
      if (row < width && col < width) P[row * width + col] = sum[i][j];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + kTile - 1) / kTile;
  fast_matmul_kernel<<<dim3(tiles, tiles), 256>>>(M, N, P, width);
}
