// SPDX-License-Identifier: Apache-2.0
// mistake: Each thread computes and stores 16 x 8 = 128 elements of P; at most 64 are allowed. Case: width 16: thread 0
//   stores rows 0 to 15 in columns 0 to 7. (From width 9 on. The values are right.)
// want: How many elements of P does thread 0 store when width is 16, and how many may it?
#include "tiled_matmul.h"

// A block computes BM x BN of P, a thread TM x TN of it in registers.
constexpr int BM = 128, BN = 64, BK = 8;
constexpr int TM = 16, TN = 8;
constexpr int THREADS = (BM / TM) * (BN / TN);  // 64

__global__ void __launch_bounds__(THREADS) sgemm(const float* A, const float* B, float* C, int n) {
  __shared__ float As[BK][BM];
  __shared__ float Bs[BK][BN];

  const int t = threadIdx.x;
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
  const int my_row = t / (BN / TN) * TM;
  const int my_col = t % (BN / TN) * TN;

  float acc[TM][TN] = {};

  for (int k0 = 0; k0 < n; k0 += BK) {
    for (int i = t; i < BM * BK; i += THREADS) {
      const int r = i / BK, c = i % BK;
      As[c][r] = (row0 + r < n && k0 + c < n) ? A[(row0 + r) * n + k0 + c] : 0.0f;
    }
    for (int i = t; i < BK * BN; i += THREADS) {
      const int r = i / BN, c = i % BN;
      Bs[r][c] = (k0 + r < n && col0 + c < n) ? B[(k0 + r) * n + col0 + c] : 0.0f;
    }
    __syncthreads();

    for (int k = 0; k < BK; ++k) {
      float a[TM], b[TN];
      for (int i = 0; i < TM; ++i) a[i] = As[k][my_row + i];
      for (int j = 0; j < TN; ++j) b[j] = Bs[k][my_col + j];
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) acc[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }

  for (int i = 0; i < TM; ++i) {
    const int row = row0 + my_row + i;
    if (row >= n) break;
    for (int j = 0; j < TN; ++j) {
      const int col = col0 + my_col + j;
      if (col < n) C[row * n + col] = acc[i][j];
    }
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 grid((width + BN - 1) / BN, (width + BM - 1) / BM);
  sgemm<<<grid, THREADS>>>(M, N, P, width);
}
