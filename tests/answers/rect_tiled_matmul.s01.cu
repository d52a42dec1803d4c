// SPDX-License-Identifier: Apache-2.0
// mistake: A thread loads four rows of M's tile, 8 apart, but checks only the first against j. With j = 1, k = l = 32,
//   thread row 0 passes the check and reads M[8][x], M[16][x] and M[24][x], out of range. What is loaded there reaches
//   only sums that are not stored, so that the values look right; j a multiple of 32 is no problem.
// want: With j = 1, which rows of M does a thread with threadIdx.y == 0 load? For which of them do you know that they
//   exist?
#include "rect_tiled_matmul.h"

constexpr int kTile = 32;
constexpr int kRows = 8;  // a block has 32 x 8 threads
constexpr int kEach = kTile / kRows;

__global__ void rect_4(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Ms[kTile][kTile];
  __shared__ float Ns[kTile][kTile];

  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int col = blockIdx.x * kTile + x;
  const bool row_ok = row < j;
  const bool col_ok = col < l;

  float sum[kEach] = {};
  for (int base = 0; base < k; base += kTile) {
    const bool m_ok = row_ok && base + x < k;
#pragma unroll
    for (int q = 0; q < kEach; ++q) {
      const int dy = q * kRows;
      Ms[y + dy][x] = m_ok ? M[(row + dy) * k + base + x] : 0.0f;
      Ns[y + dy][x] = col_ok && base + y + dy < k ? N[(base + y + dy) * l + col] : 0.0f;
    }
    __syncthreads();
    for (int i = 0; i < kTile; ++i) {
      const float n = Ns[i][x];
#pragma unroll
      for (int q = 0; q < kEach; ++q) sum[q] += Ms[y + q * kRows][i] * n;
    }
    __syncthreads();
  }

#pragma unroll
  for (int q = 0; q < kEach; ++q) {
    if (col_ok && row + q * kRows < j) P[(row + q * kRows) * l + col] = sum[q];
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 grid((l + kTile - 1) / kTile, (j + kTile - 1) / kTile);
  rect_4<<<grid, dim3(kTile, kRows)>>>(M, N, P, j, k, l);
}
