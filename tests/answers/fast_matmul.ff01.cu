// SPDX-License-Identifier: Apache-2.0
// mistake: neighbouring threads load elements of M that lie below each other, so that the transposed stores to
//   shared memory are neighbours: each such load of a warp touches 32 sectors for 32 floats. At width 256 that is
//   4 blocks x 32768 = 131072 sectors for M alone, and 65536 are allowed in all. Values, patches in two halves,
//   shared loads (32768) and barriers (1024) are in order.
// want: In the load of M, which addresses do lanes 0 and 1 of a warp ask for? How many sectors does the warp touch
//   for its 32 floats?
#include "fast_matmul.h"

#define TILE 128
#define DEPTH 16

__device__ __forceinline__ float4 four(const float* p) { return *reinterpret_cast<const float4*>(p); }

template <bool kAligned>
__global__ void __launch_bounds__(256) fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float Mt[DEPTH][TILE];  // transposed: a column of M is a row here
  __shared__ __align__(16) float Ns[DEPTH][TILE];

  const int t = threadIdx.x;
  const int tx = t % 16;
  const int ty = t / 16;
  const int top = blockIdx.y * TILE;
  const int left = blockIdx.x * TILE;

  float sum[8][8] = {};

  for (int k0 = 0; k0 < width; k0 += DEPTH) {
    // M: thread t has row t % 128, so that the stores below go to neighbouring banks
    const int m_row = t % TILE;
#pragma unroll
    for (int j = 0; j < DEPTH; j += 2) {
      const int k = j + t / TILE;
      const bool exists = top + m_row < width && k0 + k < width;
      Mt[k][m_row] = exists ? M[(top + m_row) * width + k0 + k] : 0.0f;
    }
    // N: a warp has a row, four neighbours for a thread
#pragma unroll
    for (int j = 0; j < DEPTH; j += 8) {
      const int k = j + t / 32;
      const int c = left + t % 32 * 4;
      float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
      if (k0 + k < width) {
        const float* p = N + (k0 + k) * width + c;
        if (kAligned) {
          if (c < width) v = four(p);
        } else {
          if (c < width) v.x = p[0];
          if (c + 1 < width) v.y = p[1];
          if (c + 2 < width) v.z = p[2];
          if (c + 3 < width) v.w = p[3];
        }
      }
      *reinterpret_cast<float4*>(&Ns[k][t % 32 * 4]) = v;
    }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < DEPTH; ++k) {
      const float4 m0 = four(&Mt[k][4 * ty]), m1 = four(&Mt[k][64 + 4 * ty]);
      const float4 n0 = four(&Ns[k][4 * tx]), n1 = four(&Ns[k][64 + 4 * tx]);
      const float m[8] = {m0.x, m0.y, m0.z, m0.w, m1.x, m1.y, m1.z, m1.w};
      const float n[8] = {n0.x, n0.y, n0.z, n0.w, n1.x, n1.y, n1.z, n1.w};
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] += m[i] * n[j];
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int row = top + i / 4 * 64 + 4 * ty + i % 4;
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int col = left + j / 4 * 64 + 4 * tx + j % 4;
      if (row < width && col < width) P[row * width + col] = sum[i][j];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE - 1) / TILE;
  if (width % 4 == 0) {
    fast_matmul_kernel<true><<<dim3(tiles, tiles), 256>>>(M, N, P, width);
  } else {
    fast_matmul_kernel<false><<<dim3(tiles, tiles), 256>>>(M, N, P, width);
  }
}
