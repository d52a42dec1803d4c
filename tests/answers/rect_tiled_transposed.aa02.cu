// SPDX-License-Identifier: Apache-2.0
// mistake: each of the 128 threads has 16 x 8 = 128 elements of P, and no thread may store more than 64. It shows
//   where both sides are large enough: j = l = 128 (128 stores a thread), also j = l = 96 (72). Values, loads and
//   sectors are right.
// want: How many elements of P does one thread store for j = l = 128, and what does the header say about that?
#include "rect_tiled_transposed.h"

// The more a thread does, the more often it uses what it has read from shared memory.
constexpr int kBlockX = 16, kBlockY = 8;
constexpr int kSide = 128;              // of a block's part of P
constexpr int kDepth = 8;
constexpr int kRows = kSide / kBlockY;  // a thread's rows,
constexpr int kCols = kSide / kBlockX;  // and columns

__global__ __launch_bounds__(kBlockX * kBlockY) void big_tile(const float* Mt, const float* N, float* P, int j,
                                                              int k, int l) {
  __shared__ float mt[kDepth][kSide];
  __shared__ float ns[kDepth][kSide];
  const int t = threadIdx.y * kBlockX + threadIdx.x;  // 0 to 127: a column of both tiles
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;

  float acc[kRows][kCols] = {};
  for (int i0 = 0; i0 < k; i0 += kDepth) {
#pragma unroll
    for (int d = 0; d < kDepth; ++d) {
      const int i = i0 + d;
      mt[d][t] = i < k && top + t < j ? Mt[(size_t)i * j + top + t] : 0.0f;
      ns[d][t] = i < k && left + t < l ? N[(size_t)i * l + left + t] : 0.0f;
    }
    __syncthreads();

    for (int d = 0; d < kDepth; ++d) {
      float n[kCols];
#pragma unroll
      for (int c = 0; c < kCols; ++c) n[c] = ns[d][threadIdx.x + c * kBlockX];
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        const float m = mt[d][threadIdx.y + r * kBlockY];
#pragma unroll
        for (int c = 0; c < kCols; ++c) acc[r][c] += m * n[c];
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int r = 0; r < kRows; ++r) {
#pragma unroll
    for (int c = 0; c < kCols; ++c) {
      const int row = top + threadIdx.y + r * kBlockY;
      const int col = left + threadIdx.x + c * kBlockX;
      if (row < j && col < l) P[(size_t)row * l + col] = acc[r][c];
    }
  }
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 grid((l + kSide - 1) / kSide, (j + kSide - 1) / kSide);
  big_tile<<<grid, dim3(kBlockX, kBlockY)>>>(Mt, N, P, j, k, l);
}
