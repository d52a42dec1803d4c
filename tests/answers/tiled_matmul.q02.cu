// SPDX-License-Identifier: Apache-2.0
// mistake: 128 threads compute 128 x 128 elements of P, so that a thread stores up to 128, where 64 are allowed. width = 128:
//   128 for each thread; width = 96: thread 0 has 12 rows and 6 columns, 72. Up to width 64 it holds. The values are right.
// want: width = 128: how many elements of P does thread 0 store, and what does the contract say about that?
#include "tiled_matmul.h"

namespace {

constexpr int kSide = 128;  // a block's part of P
constexpr int kDeep = 8;    // the tiles of M are 8 wide, those of N 8 high
constexpr int kX = 16, kY = 8, kThreads = kX * kY;
constexpr int kRows = kSide / kY, kCols = kSide / kX;  // of a thread

__global__ __launch_bounds__(kThreads) void big_tiles(const float* __restrict__ M, const float* __restrict__ N,
                                                      float* __restrict__ P, int width) {
  __shared__ float m_tile[kSide][kDeep];
  __shared__ float n_tile[kDeep][kSide];

  const int t = threadIdx.x;
  const int x = t % kX, y = t / kX;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;

  float acc[kRows][kCols] = {};

  for (int deep = 0; deep < width; deep += kDeep) {
    for (int e = t; e < kSide * kDeep; e += kThreads) {
      const int mr = top + e / kDeep, mc = deep + e % kDeep;
      m_tile[e / kDeep][e % kDeep] = mr < width && mc < width ? M[mr * width + mc] : 0.0f;
      const int nr = deep + e / kSide, nc = left + e % kSide;
      n_tile[e / kSide][e % kSide] = nr < width && nc < width ? N[nr * width + nc] : 0.0f;
    }
    __syncthreads();

#pragma unroll
    for (int i = 0; i < kDeep; ++i) {
      float n[kCols];
#pragma unroll
      for (int c = 0; c < kCols; ++c) n[c] = n_tile[i][x + c * kX];
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        const float m = m_tile[y + r * kY][i];
#pragma unroll
        for (int c = 0; c < kCols; ++c) acc[r][c] = fmaf(m, n[c], acc[r][c]);
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const int row = top + y + r * kY;
#pragma unroll
    for (int c = 0; c < kCols; ++c) {
      const int col = left + x + c * kX;
      if (row < width && col < width) P[row * width + col] = acc[r][c];
    }
  }
}

}  // namespace

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int blocks = (width + kSide - 1) / kSide;
  big_tiles<<<dim3(blocks, blocks), kThreads>>>(M, N, P, width);
}
