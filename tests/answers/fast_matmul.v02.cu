// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: M's elements are guarded by their row alone. Behind a row's end they are the next row's (no matter,
//   N's are zeros there), but behind the last row's end they lie outside of M: width 100, row 99, columns 100 to 127
//   of the last phase: M[10000] to M[10027]. And a thread's eight columns are neighbours: the float4s that the eight tx
//   ask for are 8 floats apart, tx and tx + 4 meet in the same banks, 2-way in every load of N's tile.
// want: Width is 100. What is the largest index into M that the threads of row 99 use in the last phase?
#include "fast_matmul.h"

#define TILE 64    // of P, for a block
#define DEPTH 32
#define SIDE 8     // threads of a block: SIDE x SIDE, each with a patch of PATCH x PATCH
#define PATCH 8
#define THREADS (SIDE * SIDE)

__global__ void __launch_bounds__(THREADS)
fast_matmul_kernel(const float* __restrict__ M, const float* __restrict__ N, float* __restrict__ P, int width) {
  __shared__ __align__(16) float Mds[TILE][DEPTH + 4];
  __shared__ __align__(16) float Nds[DEPTH][TILE];

  const int id = threadIdx.x;
  const int tx = id % SIDE;
  const int ty = id / SIDE;
  const int row0 = blockIdx.y * TILE;
  const int col0 = blockIdx.x * TILE;

  float sum[PATCH][PATCH];
#pragma unroll
  for (int i = 0; i < PATCH; ++i)
#pragma unroll
    for (int j = 0; j < PATCH; ++j) sum[i][j] = 0.0f;

  for (int k0 = 0; k0 < width; k0 += DEPTH) {
#pragma unroll 8
    for (int e = id; e < TILE * DEPTH; e += THREADS) {
      const int r = e / DEPTH, k = e % DEPTH;
      // k needs no test: N has zeros beyond the last k
      Mds[r][k] = row0 + r < width ? M[(row0 + r) * width + k0 + k] : 0.0f;
    }
#pragma unroll 8
    for (int e = id; e < DEPTH * TILE; e += THREADS) {
      const int k = e / TILE, c = e % TILE;
      Nds[k][c] = k0 + k < width && col0 + c < width ? N[(k0 + k) * width + col0 + c] : 0.0f;
    }
    __syncthreads();

    // four k at a time, so that a row of M's tile can be read as float4
#pragma unroll 1
    for (int k = 0; k < DEPTH; k += 4) {
      float m[PATCH][4];
#pragma unroll
      for (int i = 0; i < PATCH; ++i) {
        const float4 q = *(const float4*)&Mds[ty + i * SIDE][k];
        m[i][0] = q.x, m[i][1] = q.y, m[i][2] = q.z, m[i][3] = q.w;
      }
#pragma unroll
      for (int kk = 0; kk < 4; ++kk) {
        float n[PATCH];
        const float4 lo = *(const float4*)&Nds[k + kk][tx * PATCH];
        const float4 hi = *(const float4*)&Nds[k + kk][tx * PATCH + 4];
        n[0] = lo.x, n[1] = lo.y, n[2] = lo.z, n[3] = lo.w;
        n[4] = hi.x, n[5] = hi.y, n[6] = hi.z, n[7] = hi.w;
#pragma unroll
        for (int i = 0; i < PATCH; ++i)
#pragma unroll
          for (int j = 0; j < PATCH; ++j) sum[i][j] += m[i][kk] * n[j];
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < PATCH; ++i) {
    const int row = row0 + ty + i * SIDE;
#pragma unroll
    for (int j = 0; j < PATCH; ++j) {
      const int col = col0 + tx * PATCH + j;
      if (row < width && col < width) P[row * width + col] = sum[i][j];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 grid((width + TILE - 1) / TILE, (width + TILE - 1) / TILE);
  fast_matmul_kernel<<<grid, THREADS>>>(M, N, P, width);
}
