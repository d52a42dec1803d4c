// SPDX-License-Identifier: Apache-2.0
// differs: M's tile is not transposed: a thread reads four k of each of its rows as one float4; tiles of 128 x 128 by
// asynchronous copies of 16 bytes for M as well as for N, two stages, 16 deep. Windows line ends.

#include <cuda_pipeline.h>

#include "fast_matmul.h"

namespace {

constexpr int kSpan = 128, kDeep = 16, kThreads = 256;

struct alignas(16) Stage {
  float m[kSpan][kDeep];
  float n[kDeep][kSpan];
};

// Copies FLOATS floats from (row, col), or zeros where the matrix has none.
template <int FLOATS>
__device__ __forceinline__ void copy(float* to, const float* from, int row, int col, int width) {
  const bool exists = row < width && col < width;
  __pipeline_memcpy_async(to, exists ? from + row * width + col : from, 4 * FLOATS, exists ? 0 : 4 * FLOATS);
}

template <int FLOATS>
__device__ __forceinline__ void fill(Stage& stage, const float* M, const float* N, int top, int left, int first, int width) {
#pragma unroll
  for (int place = 0; place < kSpan * kDeep / kThreads; place += FLOATS) {
    const int p = place * kThreads + threadIdx.x * FLOATS;
    copy<FLOATS>(&stage.m[p / kDeep][p % kDeep], M, top + p / kDeep, first + p % kDeep, width);
    copy<FLOATS>(&stage.n[p / kSpan][p % kSpan], N, first + p / kSpan, left + p % kSpan, width);
  }
  __pipeline_commit();
}

template <int FLOATS>
__global__ void __launch_bounds__(kThreads, 1) rows_as_rows(const float* __restrict__ M, const float* __restrict__ N,
                                                            float* __restrict__ P, int width) {
  __shared__ Stage stages[2];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int top = blockIdx.y * kSpan, left = blockIdx.x * kSpan;
  const int row = warp / 2 * 32 + lane / 8 * 8, col = warp % 2 * 64 + lane % 8 * 4;

  float sum[8][8] = {};
  fill<FLOATS>(stages[0], M, N, top, left, 0, width);
  for (int first = 0, use = 0; first < width; first += kDeep, use ^= 1) {
    __pipeline_wait_prior(0);
    __syncthreads();
    if (first + kDeep < width) fill<FLOATS>(stages[use ^ 1], M, N, top, left, first + kDeep, width);
    const Stage& stage = stages[use];
#pragma unroll
    for (int k = 0; k < kDeep; k += 4) {
      float a[8][4];
#pragma unroll
      for (int i = 0; i < 8; ++i) *reinterpret_cast<float4*>(a[i]) = *reinterpret_cast<const float4*>(&stage.m[row + i][k]);
#pragma unroll
      for (int kk = 0; kk < 4; ++kk) {
        float b[8];
        *reinterpret_cast<float4*>(b) = *reinterpret_cast<const float4*>(&stage.n[k + kk][col]);
        *reinterpret_cast<float4*>(b + 4) = *reinterpret_cast<const float4*>(&stage.n[k + kk][col + 32]);
#pragma unroll
        for (int i = 0; i < 8; ++i)
#pragma unroll
          for (int j = 0; j < 8; ++j) sum[i][j] += a[i][kk] * b[j];
      }
    }
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
#pragma unroll
    for (int j = 0; j < 8; j += FLOATS) {
      const int r = top + row + i, c = left + col + j % 4 + j / 4 * 32;
      if (r < width && c < width) {
        if constexpr (FLOATS == 4) {
          *reinterpret_cast<float4*>(&P[r * width + c]) = *reinterpret_cast<float4*>(&sum[i][j]);
        } else {
          P[r * width + c] = sum[i][j];
        }
      }
    }
  }
}

}  // namespace

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 grid((width + kSpan - 1) / kSpan, (width + kSpan - 1) / kSpan);
  if (width % 4 == 0)
    rows_as_rows<4><<<grid, kThreads>>>(M, N, P, width);
  else
    rows_as_rows<1><<<grid, kThreads>>>(M, N, P, width);
}
