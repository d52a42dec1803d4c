// SPDX-License-Identifier: Apache-2.0
// mistake: two. A thread's eight columns are neighbours, so that float4 loads of Nds lie 32 bytes apart and conflict
//   twofold. And M is guarded by its row only ("N is 0 there"): past the end of the last row it reads behind M, and
//   whatever is there is multiplied by 0, which is no 0 for a NaN.
// want: In which banks do the float4 of threads tx = 0 and tx = 4 begin? And with width 100: which element of M is
//   loaded for row 99 and k = 104, and to whom does it belong?

#include "fast_matmul.h"

#define TILE_WIDTH 128
#define K_STEP 16
#define PATCH 8

#define FOUR(x) (*reinterpret_cast<float4*>(&(x)))
#define CONST_FOUR(x) (*reinterpret_cast<const float4*>(&(x)))

// P = M x N, all width x width, row by row. 16 x 16 threads, each with a patch of 8 x 8.
__global__ void __launch_bounds__(256) fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float Mds[K_STEP][TILE_WIDTH];
  __shared__ __align__(16) float Nds[K_STEP][TILE_WIDTH];

  const int t = threadIdx.x;
  const int tx = t % 16;
  const int ty = t / 16;
  const int top = blockIdx.y * TILE_WIDTH;
  const int left = blockIdx.x * TILE_WIDTH;
  const bool vectors = width % 4 == 0;  // rows begin at 16 bytes

  float sum[PATCH][PATCH];
#pragma unroll
  for (int i = 0; i < PATCH * PATCH; ++i) sum[i / PATCH][i % PATCH] = 0.0f;

  for (int k0 = 0; k0 < width; k0 += K_STEP) {
    // M: half a row of the tile for each thread, stored as a column
    const int r = t % TILE_WIDTH;
    const int kk = t / TILE_WIDTH * 8;
#pragma unroll
    for (int h = kk; h < kk + 8; h += 4) {
      float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
      if (top + r < width) {
        const float* from = M + (top + r) * width + k0 + h;
        if (vectors) {
          v = CONST_FOUR(from[0]);
        } else {
          v = make_float4(from[0], from[1], from[2], from[3]);
        }
      }
      Mds[h][r] = v.x;
      Mds[h + 1][r] = v.y;
      Mds[h + 2][r] = v.z;
      Mds[h + 3][r] = v.w;
    }

    // N: two float4 for each thread; rows that do not exist are 0
#pragma unroll
    for (int h = t / 32; h < K_STEP; h += 8) {
      const int c = t % 32 * 4;
      const int col = left + c;
      float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
      if (k0 + h < width) {
        const float* from = N + (k0 + h) * width + col;
        if (vectors && col < width) {
          v = CONST_FOUR(from[0]);
        } else {
          if (col < width) v.x = from[0];
          if (col + 1 < width) v.y = from[1];
          if (col + 2 < width) v.z = from[2];
          if (col + 3 < width) v.w = from[3];
        }
      }
      FOUR(Nds[h][c]) = v;
    }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < K_STEP; ++k) {
      const float4 a0 = FOUR(Mds[k][PATCH * ty]);
      const float4 a1 = FOUR(Mds[k][PATCH * ty + 4]);
      const float4 b0 = FOUR(Nds[k][PATCH * tx]);
      const float4 b1 = FOUR(Nds[k][PATCH * tx + 4]);
      const float a[PATCH] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
      const float b[PATCH] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
      for (int i = 0; i < PATCH; ++i) {
#pragma unroll
        for (int j = 0; j < PATCH; ++j) sum[i][j] += a[i] * b[j];
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < PATCH; ++i) {
    const int row = top + PATCH * ty + i;
#pragma unroll
    for (int j = 0; j < PATCH; ++j) {
      const int col = left + PATCH * tx + j;
      if (row < width && col < width) P[row * width + col] = sum[i][j];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;
  fast_matmul_kernel<<<dim3(tiles, tiles), dim3(TILE_WIDTH * 2)>>>(M, N, P, width);
}
