// SPDX-License-Identifier: Apache-2.0
// mistake: a float4 is loaded and stored wherever all four elements exist in their row, whatever the width. Rows begin at
//   multiples of 16 bytes only where width is a multiple of 4: at width 65 element [1][0] of M is at byte 260, and the
//   load of four fails with a misaligned address. Right where width is a multiple of 4, and below 4.
// want: Width is 65. At which byte of M does row 1 begin, and what does a float4 ask of its address?
#include "fast_matmul.h"

// A block: 128 x 128 of P, 256 threads of 8 x 8, as 2 x 2 patches of 4 x 4 that are 64 apart.
constexpr int kTile = 128;
constexpr int kDepth = 8;
constexpr int kPitch = kTile + 4;

__device__ float4 load4(const float* a, int row, int col, int width) {
  float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (row >= width) return v;
  const float* p = a + (size_t)row * width + col;
  if (col + 3 < width) return *reinterpret_cast<const float4*>(p);
  if (col + 0 < width) v.x = p[0];
  if (col + 1 < width) v.y = p[1];
  if (col + 2 < width) v.z = p[2];
  return v;
}

__device__ void store4(float* a, int row, int col, int width, float4 v) {
  if (row >= width) return;
  float* p = a + (size_t)row * width + col;
  if (col + 3 < width) {
    *reinterpret_cast<float4*>(p) = v;
    return;
  }
  if (col + 0 < width) p[0] = v.x;
  if (col + 1 < width) p[1] = v.y;
  if (col + 2 < width) p[2] = v.z;
}

__global__ void __launch_bounds__(256) fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float Mds[2][kDepth][kPitch];  // turned: a column of M is a row here
  __shared__ __align__(16) float Nds[2][kDepth][kTile];

  const int t = threadIdx.x;
  const int tx = t % 16;
  const int ty = t / 16;
  const int row0 = blockIdx.y * kTile;
  const int col0 = blockIdx.x * kTile;

  // what this thread carries: one float4 of each tile
  const int mr = t / 2, mk = t % 2 * 4;
  const int nk = t / 32, nc = t % 32 * 4;

  float4 m = load4(M, row0 + mr, mk, width);
  float4 n = load4(N, nk, col0 + nc, width);

  float sum[8][8] = {};

  int now = 0;
  for (int k0 = 0; k0 < width; k0 += kDepth) {
    Mds[now][mk + 0][mr] = m.x;
    Mds[now][mk + 1][mr] = m.y;
    Mds[now][mk + 2][mr] = m.z;
    Mds[now][mk + 3][mr] = m.w;
    *reinterpret_cast<float4*>(&Nds[now][nk][nc]) = n;
    __syncthreads();

    if (k0 + kDepth < width) {  // the next ones set off
      m = load4(M, row0 + mr, k0 + kDepth + mk, width);
      n = load4(N, k0 + kDepth + nk, col0 + nc, width);
    }

#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      float a[8], b[8];
      *reinterpret_cast<float4*>(a) = *reinterpret_cast<const float4*>(&Mds[now][k][ty * 4]);
      *reinterpret_cast<float4*>(a + 4) = *reinterpret_cast<const float4*>(&Mds[now][k][ty * 4 + 64]);
      *reinterpret_cast<float4*>(b) = *reinterpret_cast<const float4*>(&Nds[now][k][tx * 4]);
      *reinterpret_cast<float4*>(b + 4) = *reinterpret_cast<const float4*>(&Nds[now][k][tx * 4 + 64]);
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] += a[i] * b[j];
      }
    }
    now ^= 1;  // the other buffer: who is still multiplying reads this one
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int row = row0 + ty * 4 + i % 4 + i / 4 * 64;
    store4(P, row, col0 + tx * 4, width, make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]));
    store4(P, row, col0 + tx * 4 + 64, width, make_float4(sum[i][4], sum[i][5], sum[i][6], sum[i][7]));
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + kTile - 1) / kTile;
  fast_matmul_kernel<<<dim3(tiles, tiles), 256>>>(M, N, P, width);
}
