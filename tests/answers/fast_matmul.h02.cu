// SPDX-License-Identifier: Apache-2.0
// mistake: a thread's patch has eight neighbouring columns, so that the lanes' float4 loads from N's tile lie 32 bytes
//   apart: each touches only every other group of four banks, a 2-way conflict in each of these loads.
// want: Your values and loads are right. At which words of a row of N's tile do lanes 0 to 7 begin their first float4?
//   Which banks does nobody ask for, and which are asked for twice?

#include "fast_matmul.h"

constexpr int kTile = 128;
constexpr int kDepth = 16;
constexpr int kThreads = 256;
constexpr int kPatch = 8;

__device__ __forceinline__ float4 fetch(const float* A, int r, int c, int width, bool vectors) {
  if (vectors && r < width && c < width) {
    return *reinterpret_cast<const float4*>(A + r * width + c);
  }
  float v[4];
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    v[j] = r < width && c + j < width ? A[r * width + c + j] : 0.0f;
  }
  return make_float4(v[0], v[1], v[2], v[3]);
}

__global__ void __launch_bounds__(kThreads) fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float m_tile[kDepth][kTile];  // transposed
  __shared__ __align__(16) float n_tile[kDepth][kTile];

  const int t = threadIdx.x;
  const int tx = t % 16;
  const int ty = t / 16;
  const int top = blockIdx.y * kTile;
  const int left = blockIdx.x * kTile;
  const bool vectors = width % 4 == 0;  // then every row begins at a multiple of 16 bytes

  float sum[kPatch][kPatch];
#pragma unroll
  for (int i = 0; i < kPatch; ++i) {
#pragma unroll
    for (int j = 0; j < kPatch; ++j) sum[i][j] = 0.0f;
  }

  for (int k0 = 0; k0 < width; k0 += kDepth) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int mr = t % 128;
      const int mk = half * 8 + t / 128 * 4;
      const float4 m = fetch(M, top + mr, k0 + mk, width, vectors);
      m_tile[mk + 0][mr] = m.x;
      m_tile[mk + 1][mr] = m.y;
      m_tile[mk + 2][mr] = m.z;
      m_tile[mk + 3][mr] = m.w;

      const int nk = half * 8 + t / 32;
      const int nc = t % 32 * 4;
      *reinterpret_cast<float4*>(&n_tile[nk][nc]) = fetch(N, k0 + nk, left + nc, width, vectors);
    }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      __align__(16) float a[kPatch];
      __align__(16) float b[kPatch];
#pragma unroll
      for (int q = 0; q < kPatch; q += 4) {
        *reinterpret_cast<float4*>(a + q) = *reinterpret_cast<const float4*>(&m_tile[k][ty * kPatch + q]);
        *reinterpret_cast<float4*>(b + q) = *reinterpret_cast<const float4*>(&n_tile[k][tx * kPatch + q]);
      }
#pragma unroll
      for (int i = 0; i < kPatch; ++i) {
#pragma unroll
        for (int j = 0; j < kPatch; ++j) sum[i][j] += a[i] * b[j];
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < kPatch; ++i) {
    const int r = top + ty * kPatch + i;
#pragma unroll
    for (int j = 0; j < kPatch; ++j) {
      const int c = left + tx * kPatch + j;
      if (r < width && c < width) P[r * width + c] = sum[i][j];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + kTile - 1) / kTile;
  const dim3 grid(tiles, tiles);
  fast_matmul_kernel<<<grid, kThreads>>>(M, N, P, width);
}
