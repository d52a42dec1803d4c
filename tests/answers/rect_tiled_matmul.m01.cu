// SPDX-License-Identifier: Apache-2.0
// mistake: the check of N's row compares with l instead of k: where l < k rows of N are left out, and where l > k (and
//   k is no multiple of 16) N is read below its last row.
// want: How many rows has N? Your check of N compares both its row and its column with l.
#include "rect_tiled_matmul.h"

#define BM 32  // rows of P in a block
#define BN 32  // columns of P in a block
#define BK 16  // depth of a phase
#define THREADS 256

// Every thread has 2 x 2 elements of P in registers: rows y, y+16 and columns x, x+16 of the block's part.
__global__ void rect_2x2(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float sm[BM][BK];
  __shared__ float sn[BK][BN];

  const int t = threadIdx.x;
  const int x = t % 16;
  const int y = t / 16;
  const int row0 = blockIdx.y * BM;
  const int col0 = blockIdx.x * BN;

  float p00 = 0, p01 = 0, p10 = 0, p11 = 0;

  for (int k0 = 0; k0 < k; k0 += BK) {
    // 32 * 16 elements each, 256 threads: 2 rounds
    for (int e = t; e < BM * BK; e += THREADS) {
      const int r = e / BK;
      const int c = e % BK;
      sm[r][c] = (row0 + r < j && k0 + c < k) ? M[(row0 + r) * k + k0 + c] : 0.0f;
    }
    for (int e = t; e < BK * BN; e += THREADS) {
      const int r = e / BN;
      const int c = e % BN;
      sn[r][c] = (k0 + r < l && col0 + c < l) ? N[(k0 + r) * l + col0 + c] : 0.0f;
    }
    __syncthreads();

    for (int i = 0; i < BK; ++i) {
      const float a0 = sm[y][i];
      const float a1 = sm[y + 16][i];
      const float b0 = sn[i][x];
      const float b1 = sn[i][x + 16];
      p00 += a0 * b0;
      p01 += a0 * b1;
      p10 += a1 * b0;
      p11 += a1 * b1;
    }
    __syncthreads();
  }

  const int ra = row0 + y, rb = ra + 16;
  const int ca = col0 + x, cb = ca + 16;
  if (ra < j && ca < l) P[ra * l + ca] = p00;
  if (ra < j && cb < l) P[ra * l + cb] = p01;
  if (rb < j && ca < l) P[rb * l + ca] = p10;
  if (rb < j && cb < l) P[rb * l + cb] = p11;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 grid((l + BN - 1) / BN, (j + BM - 1) / BM);
  rect_2x2<<<grid, THREADS>>>(M, N, P, j, k, l);
}
