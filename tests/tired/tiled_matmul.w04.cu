// SPDX-License-Identifier: Apache-2.0
// mistake: load4 reads four floats at once wherever all four exist, but a float4 must lie at an address that
//   16 divides. The index r * width + c is a multiple of 4 in every row only where width is. Width 5, r = 1, c
//   = 0: index 5, byte 20: misaligned address. Widths below 4 (never a float4) and multiples of 4 are right.
// want: What does a float4 load demand of its address? At which byte of M does row 1 begin when width is 5?
#include "tiled_matmul.h"

#define TW 32

// Four neighbours at once; near the right border one by one, zeros outside.
__device__ __forceinline__ float4 load4(const float* A, int r, int c, int width) {
  float4 v = make_float4(0.f, 0.f, 0.f, 0.f);
  if (r >= width) return v;
  const float* p = A + r * width + c;
  if (c + 3 < width) return *reinterpret_cast<const float4*>(p);
  if (c + 0 < width) v.x = p[0];
  if (c + 1 < width) v.y = p[1];
  if (c + 2 < width) v.z = p[2];
  return v;
}

// 256 threads for a 32 x 32 tile: thread t has row t / 8 and the four columns from (t % 8) * 4 on.
__global__ void __launch_bounds__(256) matmul_vec(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float Mds[TW][TW];
  __shared__ __align__(16) float Nds[TW][TW];

  const int ty = threadIdx.x / 8;
  const int tx = threadIdx.x % 8 * 4;
  const int row = blockIdx.y * TW + ty;
  const int col = blockIdx.x * TW + tx;

  float acc[4] = {};
  for (int base = 0; base < width; base += TW) {
    *reinterpret_cast<float4*>(&Mds[ty][tx]) = load4(M, row, base + tx, width);
    *reinterpret_cast<float4*>(&Nds[ty][tx]) = load4(N, base + ty, col, width);
    __syncthreads();
    for (int k = 0; k < TW; ++k) {
      const float a = Mds[ty][k];
      for (int q = 0; q < 4; ++q) acc[q] += a * Nds[k][tx + q];
    }
    __syncthreads();
  }

  for (int q = 0; q < 4; ++q)
    if (row < width && col + q < width) P[row * width + col + q] = acc[q];
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const unsigned tiles = (width + TW - 1) / TW;
  matmul_vec<<<dim3(tiles, tiles), 256>>>(M, N, P, width);
}
