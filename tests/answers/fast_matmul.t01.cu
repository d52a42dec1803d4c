// SPDX-License-Identifier: Apache-2.0
// mistake: columns of M past the end of a row are loaded unchecked, since N's rows there are 0. But the load runs into the
//   next row, and in the last row past the end of M: width 17, phase 1, row 16, column 31 is M[303] of 289. And
//   0 times infinity or NaN is NaN: M[1][0] infinite makes row 0 of P NaN. Right where width is a multiple of 16.
//   That rows are clamped to the last one is right: their sums are not stored.
// want: width 17, second phase: which element of M does the thread load that has row 16 and column 31? How many are there?
#include "fast_matmul.h"

constexpr int kSide = 128;  // of a block's tile of P
constexpr int kDeep = 16;   // columns of M and rows of N in a phase
constexpr int kPad = 4;

__global__ void __launch_bounds__(256) fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float a[kDeep][kSide + kPad];  // M's tile, turned over
  __shared__ __align__(16) float b[kDeep][kSide];

  const int t = threadIdx.x;
  const int tx = t % 16, ty = t / 16;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;

  float sum[8][8] = {};

  for (int k0 = 0; k0 < width; k0 += kDeep) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int r = t / 8 + 32 * i;
      const float* m = M + (size_t)min(top + r, width - 1) * width + k0;  // rows past the end are not stored anyway
      // columns past the end meet zeros of N
      a[t % 8][r] = m[t % 8];
      a[t % 8 + 8][r] = m[t % 8 + 8];
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const int r = t / 128 + 2 * i, c = t % 128;
      b[r][c] = k0 + r < width && left + c < width ? N[(size_t)(k0 + r) * width + left + c] : 0.0f;
    }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < kDeep; ++k) {
      float x[8], y[8];
      *(float4*)&x[0] = *(const float4*)&a[k][4 * ty];
      *(float4*)&x[4] = *(const float4*)&a[k][64 + 4 * ty];
      *(float4*)&y[0] = *(const float4*)&b[k][4 * tx];
      *(float4*)&y[4] = *(const float4*)&b[k][64 + 4 * tx];
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int r = top + 64 * (i / 4) + 4 * ty + i % 4;
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int c = left + 64 * (j / 4) + 4 * tx + j % 4;
      if (r < width && c < width) P[(size_t)r * width + c] = sum[i][j];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + kSide - 1) / kSide;
  fast_matmul_kernel<<<dim3(tiles, tiles), 256>>>(M, N, P, width);
}
