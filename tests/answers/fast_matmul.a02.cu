// SPDX-License-Identifier: Apache-2.0
// mistake: loads a float4 wherever four elements are left in the row; with a width that is not a multiple of 4 most
//   rows begin at an address that is no multiple of 16.
// want: width = 17: at which byte does row 1 begin, and is that a multiple of 16? That four elements exist does not
//   make their address an aligned one.
#include "fast_matmul.h"

#define BM 128
#define BN 128
#define BK 8

// four elements of a row from column c on, zeros where there are none
__device__ float4 load4(const float* A, int r, int c, int width) {
  float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (r >= width) return v;
  const float* p = A + r * width + c;
  if (c + 3 < width) {
    v = *reinterpret_cast<const float4*>(p);
  } else {
    if (c < width) v.x = p[0];
    if (c + 1 < width) v.y = p[1];
    if (c + 2 < width) v.z = p[2];
  }
  return v;
}

__device__ void store1(float* P, int r, int c, int width, float value) {
  if (r < width && c < width) P[r * width + c] = value;
}

__global__ void __launch_bounds__(256) fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float As[BK][BM + 4];  // M's tile, transposed
  __shared__ __align__(16) float Bs[BK][BN];

  const int t = threadIdx.x;
  const int tx = t % 16;
  const int ty = t / 16;
  const int row0 = blockIdx.y * BM;
  const int col0 = blockIdx.x * BN;

  const int a_row = t / 2;
  const int a_k = t % 2 * 4;
  const int b_k = t / 32;
  const int b_col = t % 32 * 4;

  float acc[8][8] = {};

  for (int k0 = 0; k0 < width; k0 += BK) {
    const float4 a = load4(M, row0 + a_row, k0 + a_k, width);
    const float4 b = load4(N, k0 + b_k, col0 + b_col, width);
    As[a_k + 0][a_row] = a.x;
    As[a_k + 1][a_row] = a.y;
    As[a_k + 2][a_row] = a.z;
    As[a_k + 3][a_row] = a.w;
    *reinterpret_cast<float4*>(&Bs[b_k][b_col]) = b;
    __syncthreads();

#pragma unroll
    for (int k = 0; k < BK; ++k) {
      const float4 m0 = *reinterpret_cast<const float4*>(&As[k][ty * 4]);
      const float4 m1 = *reinterpret_cast<const float4*>(&As[k][64 + ty * 4]);
      const float4 n0 = *reinterpret_cast<const float4*>(&Bs[k][tx * 4]);
      const float4 n1 = *reinterpret_cast<const float4*>(&Bs[k][64 + tx * 4]);
      const float m[8] = {m0.x, m0.y, m0.z, m0.w, m1.x, m1.y, m1.z, m1.w};
      const float n[8] = {n0.x, n0.y, n0.z, n0.w, n1.x, n1.y, n1.z, n1.w};
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) acc[i][j] += m[i] * n[j];
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int r = row0 + (i / 4) * 64 + ty * 4 + i % 4;
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int c = col0 + (j / 4) * 64 + tx * 4 + j % 4;
      store1(P, r, c, width, acc[i][j]);
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 grid((width + BN - 1) / BN, (width + BM - 1) / BM);
  fast_matmul_kernel<<<grid, 256>>>(M, N, P, width);
}
