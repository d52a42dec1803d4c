// SPDX-License-Identifier: Apache-2.0
// mistake: where width is not a multiple of 4 (kVec false), a group of four elements is loaded only if its last
//   one exists (c + 3 < width), otherwise all four become zero: the last width % 4 columns of M and of N are
//   never loaded. Width 17: M[r][16] is missing from every sum and column 16 of P is all zeros; width 3 gives
//   zeros only. Widths that are multiples of 4 are right.
// want: Take width 17. Which thread loads M[0][16], and what does its condition say about that element?
#include "tiled_matmul.h"

#include <cstdint>

constexpr int T = 32;  // tile
constexpr int G = 4;   // neighbouring elements of a thread

template <bool kVec>
__device__ float4 load_group(const float* A, int r, int c, int width) {
  float4 v = make_float4(0.f, 0.f, 0.f, 0.f);
  if constexpr (kVec) {
    // width is a multiple of 4 and so is c: all four or none
    if (r < width && c < width) v = *reinterpret_cast<const float4*>(A + (size_t)r * width + c);
  } else {
    if (r < width && c + 3 < width) {
      const float* a = A + (size_t)r * width + c;
      v.x = a[0];
      v.y = a[1];
      v.z = a[2];
      v.w = a[3];
    }
  }
  return v;
}

// 8 x 32 threads, each has four neighbours in one row of P
template <bool kVec>
__global__ void matmul4(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float ms[T][T];
  __shared__ __align__(16) float ns[T][T];
  const int cx = threadIdx.x * G;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * T + ty;
  const int col = blockIdx.x * T + cx;

  float acc[G] = {};
  for (int k0 = 0; k0 < width; k0 += T) {
    *reinterpret_cast<float4*>(&ms[ty][cx]) = load_group<kVec>(M, row, k0 + cx, width);
    *reinterpret_cast<float4*>(&ns[ty][cx]) = load_group<kVec>(N, k0 + ty, col, width);
    __syncthreads();
    for (int k = 0; k < T; ++k) {
      const float m = ms[ty][k];
      const float4 n = *reinterpret_cast<const float4*>(&ns[k][cx]);
      acc[0] += m * n.x;
      acc[1] += m * n.y;
      acc[2] += m * n.z;
      acc[3] += m * n.w;
    }
    __syncthreads();
  }
  for (int g = 0; g < G; ++g)
    if (row < width && col + g < width) P[(size_t)row * width + col + g] = acc[g];
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + T - 1) / T;
  const dim3 block(T / G, T), grid(tiles, tiles);
  const bool aligned = (((uintptr_t)M | (uintptr_t)N) & 15) == 0;
  if (width % 4 == 0 && aligned)
    matmul4<true><<<grid, block>>>(M, N, P, width);
  else
    matmul4<false><<<grid, block>>>(M, N, P, width);
}
