// SPDX-License-Identifier: Apache-2.0
// mistake: a thread owns eight neighbouring columns, so that in each float4 load of Ns the eight lanes that are served
//   together are 32 bytes apart: lanes tx and tx + 4 want different words of the same four banks, a 2-way conflict in
//   every one of these loads, which are half of all; one conflict for 8 wavefronts is allowed. The values are right,
//   and so are the loads of Ms, four k at a time and eight rows apart.
// want: Lanes 0 to 7 load their first float4 of a row of Ns: at which words do they begin, and in which banks?
#include "fast_matmul.h"

namespace {

constexpr int kTile = 64;   // of P, for a block
constexpr int kDepth = 16;  // of a phase
constexpr int kSide = 8;    // of a thread's patch, and of the block in threads
constexpr int kPitch = kDepth + 4;

__device__ float4 load4(const float* p) { return *reinterpret_cast<const float4*>(p); }

__device__ void add(float (&sums)[kSide], float m, float4 a, float4 b) {
  sums[0] += m * a.x;
  sums[1] += m * a.y;
  sums[2] += m * a.z;
  sums[3] += m * a.w;
  sums[4] += m * b.x;
  sums[5] += m * b.y;
  sums[6] += m * b.z;
  sums[7] += m * b.w;
}

// A thread has the rows ty, ty + 8, ... of the tile, and in each of them eight columns.
__global__ void __launch_bounds__(kSide* kSide)
    patch_kernel(const float* __restrict__ M, const float* __restrict__ N, float* __restrict__ P, int width) {
  __shared__ __align__(16) float Ms[kTile][kPitch];
  __shared__ __align__(16) float Ns[kDepth][kTile];

  const int t = threadIdx.x;
  const int tx = t % kSide;
  const int ty = t / kSide;
  const int top = blockIdx.y * kTile;
  const int left = blockIdx.x * kTile;

  float sums[kSide][kSide] = {};

  for (int k0 = 0; k0 < width; k0 += kDepth) {
#pragma unroll
    for (int s = 0; s < 16; ++s) {
      // Half warps are four rows apart: their pieces of 16 lie in different banks.
      const int r = s / 4 * 16 + s % 4 + t / 16 * 4;
      const int c = t % 16;
      Ms[r][c] = top + r < width && k0 + c < width ? M[(top + r) * width + k0 + c] : 0.0f;
    }
#pragma unroll
    for (int r = 0; r < kDepth; ++r) {
      Ns[r][t] = k0 + r < width && left + t < width ? N[(k0 + r) * width + left + t] : 0.0f;
    }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < kDepth; k += 4) {
      float4 m[kSide];
#pragma unroll
      for (int i = 0; i < kSide; ++i) m[i] = load4(&Ms[ty + i * kSide][k]);
#pragma unroll
      for (int kk = 0; kk < 4; ++kk) {
        const float* n = &Ns[k + kk][tx * kSide];
        const float4 a = load4(n);
        const float4 b = load4(n + 4);
#pragma unroll
        for (int i = 0; i < kSide; ++i) {
          add(sums[i], kk == 0 ? m[i].x : kk == 1 ? m[i].y : kk == 2 ? m[i].z : m[i].w, a, b);
        }
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < kSide; ++i) {
    const int row = top + ty + i * kSide;
#pragma unroll
    for (int j = 0; j < kSide; ++j) {
      const int col = left + tx * kSide + j;
      if (row < width && col < width) P[row * width + col] = sums[i][j];
    }
  }
}

}  // namespace

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + kTile - 1) / kTile;
  patch_kernel<<<dim3(tiles, tiles), kSide * kSide>>>(M, N, P, width);
}
