// SPDX-License-Identifier: Apache-2.0
// mistake: two. (1) The loop over k takes whole steps of 32 only: where width is no multiple of 32, the last products are
//   missing (width 100: k from 96 to 99), and below 32 everything is 0. (2) A thread's eight columns are neighbours, so
//   that lanes load float4s 32 bytes apart: of eight lanes that are served together, the first and the fifth meet in a
//   bank, a 2-way conflict in each load of N's tile.
// want: Width 100: what is k0 in the last round of your loop, and which k does nobody multiply? (The guards for zeros
//   are needed for k, too, then.) Afterwards: in which banks are the float4s of tx = 0 and tx = 4?
#include "fast_matmul.h"

constexpr int kTile = 128;  // of P, for a block
constexpr int kStep = 32;
constexpr int kPatch = 8;   // a thread's elements: 8 x 8
constexpr int kThreads = 256;

__device__ __forceinline__ float4 four(const float* at) {
  return *reinterpret_cast<const float4*>(at);
}

__device__ __forceinline__ void row_of_patch(float* p, float m, float4 lo, float4 hi) {
  p[0] += m * lo.x;
  p[1] += m * lo.y;
  p[2] += m * lo.z;
  p[3] += m * lo.w;
  p[4] += m * hi.x;
  p[5] += m * hi.y;
  p[6] += m * hi.z;
  p[7] += m * hi.w;
}

__global__ void __launch_bounds__(kThreads) fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float m_tile[kTile][kStep + 4];
  __shared__ __align__(16) float n_tile[kStep][kTile];

  const int thread = threadIdx.x;
  const int tx = thread % 16;
  const int ty = thread / 16;
  const int top = blockIdx.y * kTile;
  const int left = blockIdx.x * kTile;

  float patch[kPatch][kPatch] = {};

  for (int k0 = 0; k0 + kStep <= width; k0 += kStep) {
    // M: a warp loads 32 neighbours of a row, 8 rows at a time
#pragma unroll
    for (int r = thread / 32; r < kTile; r += 8) {
      const int c = thread % 32;
      m_tile[r][c] = top + r < width ? M[(top + r) * width + k0 + c] : 0.0f;
    }
    // N: 2 rows at a time
#pragma unroll
    for (int r = thread / 128; r < kStep; r += 2) {
      const int c = thread % 128;
      n_tile[r][c] = left + c < width ? N[(k0 + r) * width + left + c] : 0.0f;
    }
    __syncthreads();

#pragma unroll 2
    for (int k = 0; k < kStep; k += 4) {
      float4 lo[4], hi[4];
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        lo[q] = four(&n_tile[k + q][kPatch * tx]);
        hi[q] = four(&n_tile[k + q][kPatch * tx + 4]);
      }
#pragma unroll
      for (int i = 0; i < kPatch; ++i) {
        const float4 m = four(&m_tile[ty + 16 * i][k]);
        row_of_patch(patch[i], m.x, lo[0], hi[0]);
        row_of_patch(patch[i], m.y, lo[1], hi[1]);
        row_of_patch(patch[i], m.z, lo[2], hi[2]);
        row_of_patch(patch[i], m.w, lo[3], hi[3]);
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < kPatch; ++i) {
    const int row = top + ty + 16 * i;
    if (row >= width) continue;
#pragma unroll
    for (int j = 0; j < kPatch; ++j) {
      const int col = left + kPatch * tx + j;
      if (col < width) P[row * width + col] = patch[i][j];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int side = (width + kTile - 1) / kTile;
  const dim3 grid(side, side);
  fast_matmul_kernel<<<grid, kThreads>>>(M, N, P, width);
}
