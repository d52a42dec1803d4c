// SPDX-License-Identifier: Apache-2.0
// mistake: a thread stores four rows one below the other, but asks only whether the first of them exists. j = 33, k = 1,
//   l = 1: in the lower block the first thread has rows 32 to 35 and stores P[32] to P[35]; P has 33 elements. Where 4
//   divides j it is right.
// want: j = 33, l = 1: which elements of P does thread 0 of the lower block store, and which of them exist?
#include "rect_tiled_matmul.h"

// A block of 256 threads computes 32 x 32 elements of P, a thread four of one column. M's tile is 32 high and 8 wide, N's
// 8 high and 32 wide: 256 elements each, one for a thread.
constexpr int kRows = 32, kCols = 32, kDeep = 8, kPerThread = 4;

__global__ __launch_bounds__(256) void rect_kernel(const float* __restrict__ M, const float* __restrict__ N,
                                                   float* __restrict__ P, int j, int k, int l) {
  __shared__ float ms[kRows][kDeep + 1];
  __shared__ float ns[kDeep][kCols];

  const int t = threadIdx.x;
  const int top = blockIdx.y * kRows;
  const int left = blockIdx.x * kCols;

  const int m_r = t / kDeep, m_c = t % kDeep;  // loads this of M's tile
  const int n_r = t / kCols, n_c = t % kCols;  // and this of N's

  const int c = t % kCols;               // computes column c,
  const int r = t / kCols * kPerThread;  // rows r to r + 3

  float acc[kPerThread] = {};
  for (int deep = 0; deep < k; deep += kDeep) {
    ms[m_r][m_c] = top + m_r < j && deep + m_c < k ? M[(top + m_r) * k + deep + m_c] : 0.0f;
    ns[n_r][n_c] = deep + n_r < k && left + n_c < l ? N[(deep + n_r) * l + left + n_c] : 0.0f;
    __syncthreads();

#pragma unroll
    for (int i = 0; i < kDeep; ++i) {
      const float n = ns[i][c];
#pragma unroll
      for (int q = 0; q < kPerThread; ++q) acc[q] += ms[r + q][i] * n;
    }
    __syncthreads();
  }

  // Is this part of P there?
  if (top + r < j && left + c < l) {
    float* p = P + (top + r) * l + left + c;
#pragma unroll
    for (int q = 0; q < kPerThread; ++q) p[q * l] = acc[q];
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j < 1 || l < 1) return;
  const dim3 grid((l + kCols - 1) / kCols, (j + kRows - 1) / kRows);
  rect_kernel<<<grid, 256>>>(M, N, P, j, k, l);
}
