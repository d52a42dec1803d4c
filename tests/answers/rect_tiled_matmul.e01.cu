// SPDX-License-Identifier: Apache-2.0
// mistake: a thread loads row m_r of M's tile, but the check looks at the row that it computes. The tile is 32
//   rows high, computing rows begin at 0..7: where j is not a multiple of 32, rows past the end of M are
//   read. P is right by luck, those rows are never stored.
// want: A thread plays two roles, loading and computing. Which row of M does thread 255 load, and which row
//   does the condition of that load look at? Try j = 10.

#include "rect_tiled_matmul.h"

// TM x TN elements of P for each block, TK products in each phase. 256 threads: one element of M's tile and
// one of N's for each thread, and TM * TN / 256 = 4 elements of P.
template <int TM, int TN, int TK>
__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Ms[TM][TK];
  __shared__ float Ns[TK][TN];
  constexpr int kRows = 256 / TN;      // rows of P that the block's threads cover at once
  constexpr int kEach = TM / kRows;    // elements of P for each thread

  const int t = threadIdx.x;

  // place in M's tile
  const int m_r = t / TK;
  const int m_c = t % TK;
  // place in N's tile, and the first place in P's
  const int n_r = t / TN;
  const int n_c = t % TN;

  const int row0 = blockIdx.y * TM;
  const int row = row0 + n_r;
  const int col = blockIdx.x * TN + n_c;

  float sum[kEach] = {};
  for (int p = 0; p < k; p += TK) {
    Ms[m_r][m_c] = row < j && p + m_c < k ? M[(row0 + m_r) * k + p + m_c] : 0.0f;
    Ns[n_r][n_c] = p + n_r < k && col < l ? N[(p + n_r) * l + col] : 0.0f;
    __syncthreads();

    for (int i = 0; i < TK; ++i) {
      const float n = Ns[i][n_c];
      for (int e = 0; e < kEach; ++e) sum[e] += Ms[n_r + e * kRows][i] * n;
    }
    __syncthreads();
  }

  for (int e = 0; e < kEach; ++e) {
    const int r = row + e * kRows;
    if (r < j && col < l) P[r * l + col] = sum[e];
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 grid((l + 31) / 32, (j + 31) / 32);
  rect_tiled_matmul_kernel<32, 32, 8><<<grid, 256>>>(M, N, P, j, k, l);
}
