// SPDX-License-Identifier: Apache-2.0
// mistake: four neighbours are loaded as a float4 wherever all four exist, for every width; where width is no multiple of
//   4, rows begin at addresses that are no multiple of 16: width 66, row 1 begins at byte 264, and the load is
//   misaligned. The guards at the edges are right, and right for widths that are multiples of 4 (and below 4).
// want: width 66: at which byte does row 1 of M begin? What does a float4 want of its address, besides that the four
//   floats exist?
#include "fast_matmul.h"

#define SIDE 64     // of the tile of P that a block computes
#define DEPTH 16    // of a phase
#define PATCH 8     // a thread computes 8 x 8 elements
#define THREADS (SIDE / PATCH * SIDE / PATCH)

// Elements [row][col] to [row][col + 3], with zeros for those that do not exist.
__device__ __forceinline__ float4 load4(const float* matrix, int row, int col, int width) {
  if (row >= width) return make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  const float* p = matrix + row * width + col;
  if (col + 3 < width) return *reinterpret_cast<const float4*>(p);
  // at the right edge, one by one
  float4 v;
  v.x = col + 0 < width ? p[0] : 0.0f;
  v.y = col + 1 < width ? p[1] : 0.0f;
  v.z = col + 2 < width ? p[2] : 0.0f;
  v.w = 0.0f;
  return v;
}

__global__ void __launch_bounds__(THREADS) fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float4 Ms[SIDE][DEPTH / 4];
  __shared__ float4 Ns[DEPTH][SIDE / 4];

  const int t = threadIdx.x;
  const int tx = t % 8;
  const int ty = t / 8;
  const int top = blockIdx.y * SIDE;
  const int left = blockIdx.x * SIDE;

  // rows ty * 8 + i; columns tx * 4 + j and 32 + tx * 4 + j
  float sum[PATCH][PATCH] = {};

  for (int k0 = 0; k0 < width; k0 += DEPTH) {
#pragma unroll
    for (int i = t; i < SIDE * DEPTH / 4; i += THREADS) {
      Ms[i / 4][i % 4] = load4(M, top + i / 4, k0 + i % 4 * 4, width);
      Ns[i / 16][i % 16] = load4(N, k0 + i / 16, left + i % 16 * 4, width);
    }
    __syncthreads();

#pragma unroll 1
    for (int q = 0; q < DEPTH / 4; ++q) {
      // four steps of k at once: a row of M has them side by side
      float4 m[PATCH];
#pragma unroll
      for (int i = 0; i < PATCH; ++i) m[i] = Ms[ty * PATCH + i][q];
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const float4 n0 = Ns[q * 4 + k][tx];
        const float4 n1 = Ns[q * 4 + k][8 + tx];
#pragma unroll
        for (int i = 0; i < PATCH; ++i) {
          const float a = k == 0 ? m[i].x : k == 1 ? m[i].y : k == 2 ? m[i].z : m[i].w;
          sum[i][0] += a * n0.x;
          sum[i][1] += a * n0.y;
          sum[i][2] += a * n0.z;
          sum[i][3] += a * n0.w;
          sum[i][4] += a * n1.x;
          sum[i][5] += a * n1.y;
          sum[i][6] += a * n1.z;
          sum[i][7] += a * n1.w;
        }
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < PATCH; ++i) {
    const int row = top + ty * PATCH + i;
#pragma unroll
    for (int j = 0; j < PATCH; ++j) {
      const int col = left + j / 4 * 32 + tx * 4 + j % 4;
      if (row < width && col < width) P[row * width + col] = sum[i][j];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + SIDE - 1) / SIDE;
  fast_matmul_kernel<<<dim3(tiles, tiles), THREADS>>>(M, N, P, width);
}
