// SPDX-License-Identifier: Apache-2.0
// mistake: The tiles are only 4 deep along k, so that a row of M's tile has 16 bytes, half a sector: a warp's load of M
//   fetches 256 bytes for 128, N's fetches 128 for 128. Together 384 / 256 = 1.5, allowed are 1.45. Case: j = k = l =
//   32. The values and the number of bytes that the threads load are right.
// want: How many bytes of one row of M does a warp read in one load, and how many bytes does a sector bring?
#include "rect_tiled_matmul.h"

constexpr int kSide = 32;   // P's tile: 32 x 32
constexpr int kDepth = 4;   // along k
constexpr int kEach = 8;    // elements of P for a thread

__global__ void rect_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float m_tile[kSide][kDepth + 1];
  __shared__ float n_tile[kDepth][kSide];

  const int tid = threadIdx.x;  // 128 threads: each loads one element of both tiles
  const int top = blockIdx.y * kSide;
  const int left = blockIdx.x * kSide;
  const int x = tid % kSide;
  const int y = tid / kSide;

  float sums[kEach] = {};
  for (int from = 0; from < k; from += kDepth) {
    {
      const int r = tid / kDepth, c = tid % kDepth;
      const bool there = top + r < j && from + c < k;
      m_tile[r][c] = there ? M[(top + r) * k + from + c] : 0.0f;
    }
    {
      const bool there = from + y < k && left + x < l;
      n_tile[y][x] = there ? N[(from + y) * l + left + x] : 0.0f;
    }
    __syncthreads();

#pragma unroll
    for (int i = 0; i < kDepth; ++i) {
      const float n = n_tile[i][x];
#pragma unroll
      for (int e = 0; e < kEach; ++e) sums[e] += m_tile[y + 4 * e][i] * n;
    }
    __syncthreads();
  }

#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    const int row = top + y + 4 * e;
    if (row < j && left + x < l) P[row * l + left + x] = sums[e];
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 grid((l + kSide - 1) / kSide, (j + kSide - 1) / kSide);
  rect_kernel<<<grid, kSide * kDepth>>>(M, N, P, j, k, l);
}
