// SPDX-License-Identifier: Apache-2.0
// mistake: loads a float4 wherever four more elements exist in the row, whatever the width; where width is no multiple of
//   4, most rows do not begin at a multiple of 16 bytes, and the load is misaligned.
// want: At which byte does row 1 begin when width is 130, and is that a multiple of 16? For which widths do all rows
//   begin at one?
#include "fast_matmul.h"

#define TILE 128
#define DEPTH 16

// Four neighbours of a row, zeros where there are none.
__device__ __forceinline__ float4 four(const float* matrix, int row, int col, int width) {
  float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (row < width) {
    const float* p = matrix + row * width + col;
    if (col + 3 < width) {
      v = *reinterpret_cast<const float4*>(p);  // all four are there
    } else {
      // the last ones one by one
      if (col < width) v.x = p[0];
      if (col + 1 < width) v.y = p[1];
      if (col + 2 < width) v.z = p[2];
    }
  }
  return v;
}

__global__ void __launch_bounds__(256) fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float Mt[DEPTH][TILE + 4];
  __shared__ __align__(16) float Nt[DEPTH][TILE];

  const int t = threadIdx.x;
  const int x = (t % 16) * 4;
  const int y = (t / 16) * 4;
  const int block_row = blockIdx.y * TILE;
  const int block_col = blockIdx.x * TILE;

  float sum[8][8] = {};

  for (int k0 = 0; k0 < width; k0 += DEPTH) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      // M: 4 threads a row of 16
      const int r = t / 4 + 64 * half;
      const int k = (t % 4) * 4;
      const float4 m = four(M, block_row + r, k0 + k, width);
      Mt[k + 0][r] = m.x;
      Mt[k + 1][r] = m.y;
      Mt[k + 2][r] = m.z;
      Mt[k + 3][r] = m.w;

      // N: a warp a row of 128
      const int nk = t / 32 + 8 * half;
      const int nc = (t % 32) * 4;
      *reinterpret_cast<float4*>(&Nt[nk][nc]) = four(N, k0 + nk, block_col + nc, width);
    }
    __syncthreads();

#pragma unroll 4
    for (int k = 0; k < DEPTH; ++k) {
      const float4 a0 = *reinterpret_cast<const float4*>(&Mt[k][y]);
      const float4 a1 = *reinterpret_cast<const float4*>(&Mt[k][y + 64]);
      const float4 b0 = *reinterpret_cast<const float4*>(&Nt[k][x]);
      const float4 b1 = *reinterpret_cast<const float4*>(&Nt[k][x + 64]);
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
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int row = block_row + y + (i < 4 ? i : 60 + i);
      const int col = block_col + x + (j < 4 ? j : 60 + j);
      if (row < width && col < width) P[row * width + col] = sum[i][j];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 grid((width + TILE - 1) / TILE, (width + TILE - 1) / TILE);
  fast_matmul_kernel<<<grid, 256>>>(M, N, P, width);
}
