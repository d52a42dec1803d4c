// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: rows of N beyond the last are read, since only the column is asked for. width = 200: the last phase
//   begins at 192 and reads rows 200 to 207, behind the end of N; width = 1: N[1] to N[15]. M's zeros hide it only while
//   what lies there is finite. And a thread's eight columns lie side by side, so that the float4s of neighbouring lanes
//   are 32 bytes apart: the 8 lanes served together ask for banks 0, 8, 16, 24 (4 each) and these again, a 2-way conflict
//   at every load of Bs, far more than one for 8 wavefronts.
// want: width is 200. Which rows of N does the last phase read, and are there that many?
#include "fast_matmul.h"

constexpr int BM = 128;  // side of a block's tile of P
constexpr int BK = 16;
constexpr int R = 8;  // side of a thread's patch

__device__ __forceinline__ float part(const float4& v, int q) {
  return q == 0 ? v.x : q == 1 ? v.y : q == 2 ? v.z : v.w;
}

__global__ void __launch_bounds__(256) fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float4 As[BM][BK / 4];
  __shared__ float4 Bs[BK][BM / 4];
  float* a_flat = &As[0][0].x;
  float* b_flat = &Bs[0][0].x;

  const int t = threadIdx.x;
  const int tx = t % 16;
  const int ty = t / 16;
  const int row0 = blockIdx.y * BM;
  const int col0 = blockIdx.x * BM;

  float acc[R][R] = {};

  for (int k0 = 0; k0 < width; k0 += BK) {
#pragma unroll
    for (int e = t; e < BM * BK; e += 256) {
      const int row = row0 + e / BK;
      const int k = k0 + e % BK;
      a_flat[e] = row < width && k < width ? M[row * width + k] : 0.0f;
    }
#pragma unroll
    for (int e = t; e < BK * BM; e += 256) {
      const int k = k0 + e / BM;
      const int col = col0 + e % BM;
      b_flat[e] = col < width ? N[k * width + col] : 0.0f;  // where k ends, M is 0 already
    }
    __syncthreads();

#pragma unroll
    for (int k4 = 0; k4 < BK / 4; ++k4) {
      float4 a[R];
#pragma unroll
      for (int i = 0; i < R; ++i) a[i] = As[ty * R + i][k4];
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        const float4 left = Bs[k4 * 4 + q][tx * 2];
        const float4 right = Bs[k4 * 4 + q][tx * 2 + 1];
#pragma unroll
        for (int i = 0; i < R; ++i) {
          const float m = part(a[i], q);
#pragma unroll
          for (int j = 0; j < 4; ++j) {
            acc[i][j] += m * part(left, j);
            acc[i][j + 4] += m * part(right, j);
          }
        }
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < R; ++i) {
    const int row = row0 + ty * R + i;
#pragma unroll
    for (int j = 0; j < R; ++j) {
      const int col = col0 + tx * R + j;
      if (row < width && col < width) P[row * width + col] = acc[i][j];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + BM - 1) / BM;
  fast_matmul_kernel<<<dim3(tiles, tiles), 256>>>(M, N, P, width);
}
