// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: a thread's eight columns of N's tile are neighbours, so that the float4 of 8 lanes that are served
//   together begin 8 words apart: lanes 0 and 4 both ask banks 0 to 3, 2 ways in each load of N, far more than one
//   conflict for 8 wavefronts. And a phase is 8 deep with two barriers: at width 256 4 blocks x 8 warps x 32 phases x 2
//   are 2048 arrivals of 1365 allowed. The values are right at every width.
// want: which banks do the lanes 0 to 7 ask for when each reads a float4 at 8 x tx? Then: how many phases are there at
//   width 256, and how many barriers in each?
#include "fast_matmul.h"

#define BM 128
#define BN 128
#define BK 8
#define TM 8
#define TN 8

__device__ inline float get(const float* A, int r, int c, int width) {
  return r < width && c < width ? __ldg(A + r * width + c) : 0.f;
}

__global__ __launch_bounds__(256) void fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float4 As4[BK][BM / 4 + 1];
  __shared__ float4 Bs4[BK][BN / 4];
  float(*As)[BM + 4] = reinterpret_cast<float(*)[BM + 4]>(As4);
  float(*Bs)[BN] = reinterpret_cast<float(*)[BN]>(Bs4);

  const int id = threadIdx.x;
  const int thread_col = id & 15;
  const int thread_row = id >> 4;
  const int row0 = blockIdx.y * BM;
  const int col0 = blockIdx.x * BN;

  float acc[TM][TN];
#pragma unroll
  for (int i = 0; i < TM * TN; ++i) acc[i / TN][i % TN] = 0.f;

  for (int kk = 0; kk < width; kk += BK) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int r = (id >> 3) + i * 32;
      As[id & 7][r] = get(M, row0 + r, kk + (id & 7), width);
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int r = (id >> 7) + i * 2;
      Bs[r][id & 127] = get(N, kk + r, col0 + (id & 127), width);
    }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < BK; ++k) {
      const float4 a0 = As4[k][thread_row * 2], a1 = As4[k][thread_row * 2 + 1];
      const float4 b0 = Bs4[k][thread_col * 2], b1 = Bs4[k][thread_col * 2 + 1];
      const float a[TM] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
      const float b[TN] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) acc[i][j] = fmaf(a[i], b[j], acc[i][j]);
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; ++j) {
      const int r = row0 + thread_row * TM + i;
      const int c = col0 + thread_col * TN + j;
      if (r < width && c < width) P[r * width + c] = acc[i][j];
    }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  dim3 grid((width + BN - 1) / BN, (width + BM - 1) / BM);
  fast_matmul_kernel<<<grid, 256>>>(M, N, P, width);
}
