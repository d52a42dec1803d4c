// SPDX-License-Identifier: Apache-2.0
// mistake: keeps the tiles in shared memory as __half to halve the traffic: the operands lose 13 of 24 bits, and the
//   contract wants products of floats.
// want: How many digits has a __half, and how far is your P from the expected one? Adding up in float does not bring
//   back what the operands lost on their way into the tile.
#include <cuda_fp16.h>

#include "fast_matmul.h"

#define TILE 64  // of P, for a block
#define DEPTH 16
#define PATCH 4  // of P, for a thread

__global__ void __launch_bounds__(256) fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __half Mds[DEPTH][TILE + 2];
  __shared__ __half Nds[DEPTH][TILE + 2];

  const int t = threadIdx.x;
  const int tx = t % 16;
  const int ty = t / 16;
  const int row0 = blockIdx.y * TILE;
  const int col0 = blockIdx.x * TILE;

  float sum[PATCH][PATCH] = {};

  for (int k0 = 0; k0 < width; k0 += DEPTH) {
#pragma unroll
    for (int s = 0; s < 4; ++s) {
      const int m_row = s * 16 + t / 16;
      const int m_k = t % 16;
      const bool m_ok = row0 + m_row < width && k0 + m_k < width;
      Mds[m_k][m_row] = __float2half(m_ok ? M[(row0 + m_row) * width + k0 + m_k] : 0.0f);

      const int n_k = s * 4 + t / 64;
      const int n_col = t % 64;
      const bool n_ok = k0 + n_k < width && col0 + n_col < width;
      Nds[n_k][n_col] = __float2half(n_ok ? N[(k0 + n_k) * width + col0 + n_col] : 0.0f);
    }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < DEPTH; ++k) {
      float m[PATCH], n[PATCH];
#pragma unroll
      for (int i = 0; i < PATCH; ++i) {
        m[i] = __half2float(Mds[k][ty * PATCH + i]);
        n[i] = __half2float(Nds[k][tx * PATCH + i]);
      }
#pragma unroll
      for (int i = 0; i < PATCH; ++i) {
#pragma unroll
        for (int j = 0; j < PATCH; ++j) sum[i][j] += m[i] * n[j];
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < PATCH; ++i) {
#pragma unroll
    for (int j = 0; j < PATCH; ++j) {
      const int row = row0 + ty * PATCH + i;
      const int col = col0 + tx * PATCH + j;
      if (row < width && col < width) P[row * width + col] = sum[i][j];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE - 1) / TILE;
  fast_matmul_kernel<<<dim3(tiles, tiles), 256>>>(M, N, P, width);
}
