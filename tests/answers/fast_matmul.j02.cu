// SPDX-License-Identifier: Apache-2.0
// mistake: takes the registers that hold the next tiles for the second buffer and keeps one buffer in shared memory,
//   with a single barrier a phase: a warp that has done its products stores the next tiles over those that slower warps
//   still multiply. A race for all widths above 16 (more than one phase); results are wrong now and then.
// want: One warp of the block is done with its products, another one is in the middle of them: what does the first one
//   do next, and which elements does the second one read then? What must every warp have finished before you store?
#include "fast_matmul.h"

constexpr int kTile = 128;
constexpr int kDepth = 16;
constexpr int kThreads = 256;

struct Next {
  float m[8];
  float n[8];
};

__device__ __forceinline__ void fetch(Next& next, const float* M, const float* N, int width, int top, int left,
                                      int k0) {
  const int t = threadIdx.x;
#pragma unroll
  for (int e = 0; e < 8; ++e) {
    // M: 16 lanes go along a row
    const int mr = top + t / kDepth + e * (kThreads / kDepth);
    const int mc = k0 + t % kDepth;
    next.m[e] = mr < width && mc < width ? M[mr * width + mc] : 0.0f;
    // N: a row of 128 and its neighbour
    const int nr = k0 + t / kTile + e * (kThreads / kTile);
    const int nc = left + t % kTile;
    next.n[e] = nr < width && nc < width ? N[nr * width + nc] : 0.0f;
  }
}

__global__ void __launch_bounds__(kThreads) fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float Ms[kDepth][kTile + 4];
  __shared__ __align__(16) float Ns[kDepth][kTile];

  const int t = threadIdx.x;
  const int tx = t % 16;
  const int ty = t / 16;
  const int top = blockIdx.y * kTile;
  const int left = blockIdx.x * kTile;

  float acc[8][8] = {};
  Next next;  // second buffer
  fetch(next, M, N, width, top, left, 0);

  for (int k0 = 0; k0 < width; k0 += kDepth) {
#pragma unroll
    for (int e = 0; e < 8; ++e) {
      Ms[t % kDepth][t / kDepth + e * (kThreads / kDepth)] = next.m[e];
      Ns[t / kTile + e * (kThreads / kTile)][t % kTile] = next.n[e];
    }
    __syncthreads();

    // under way while we multiply
    if (k0 + kDepth < width) fetch(next, M, N, width, top, left, k0 + kDepth);

#pragma unroll 4
    for (int k = 0; k < kDepth; ++k) {
      float a[8], b[8];
#pragma unroll
      for (int q = 0; q < 2; ++q) {
        const float4 u = *reinterpret_cast<const float4*>(&Ms[k][q * 64 + ty * 4]);
        const float4 v = *reinterpret_cast<const float4*>(&Ns[k][q * 64 + tx * 4]);
        a[q * 4] = u.x, a[q * 4 + 1] = u.y, a[q * 4 + 2] = u.z, a[q * 4 + 3] = u.w;
        b[q * 4] = v.x, b[q * 4 + 1] = v.y, b[q * 4 + 2] = v.z, b[q * 4 + 3] = v.w;
      }
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) acc[i][j] += a[i] * b[j];
      }
    }
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int row = top + (i / 4) * 64 + ty * 4 + i % 4;
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int col = left + (j / 4) * 64 + tx * 4 + j % 4;
      if (row < width && col < width) P[row * width + col] = acc[i][j];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + kTile - 1) / kTile;
  const dim3 grid(tiles, tiles);
  fast_matmul_kernel<<<grid, kThreads>>>(M, N, P, width);
}
