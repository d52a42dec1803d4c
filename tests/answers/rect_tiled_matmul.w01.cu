// SPDX-License-Identifier: Apache-2.0
// mistake: M's tile is declared with rows of 33 floats, but read through a flat pointer that steps 32 for each
//   row: row ty begins ty places too early. j = 2, row 1: it reads Mds[0][32], the padding that nobody wrote,
//   and then Mds[1][0] to Mds[1][30] against N's rows 1 to 31. Only the first row of each tile is right.
// want: At which place of the flat array does Mds[1][0] lie? Compare it with where m points for ty = 1.
#include "rect_tiled_matmul.h"

#define TS 16  // outputs: 16 x 16 per block
#define TK 32  // and 32 deep per phase, half the number of barriers

__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TS][TK + 1];  // + 1 against bank conflicts
  __shared__ float Nds[TK][TS];

  const int tid = threadIdx.x;
  const int ty = tid / TS, tx = tid % TS;
  const int top = blockIdx.y * TS, left = blockIdx.x * TS;

  float sum = 0.0f;
  for (int base = 0; base < k; base += TK) {
    // 512 elements each, two per thread
    for (int e = tid; e < TS * TK; e += TS * TS) {
      const int mr = e / TK, mc = e % TK;
      Mds[mr][mc] = top + mr < j && base + mc < k ? M[(top + mr) * k + base + mc] : 0.0f;
      const int nr = e / TS, nc = e % TS;
      Nds[nr][nc] = base + nr < k && left + nc < l ? N[(base + nr) * l + left + nc] : 0.0f;
    }
    __syncthreads();

    const float* m = &Mds[0][0] + ty * TK;
    const float* n = &Nds[0][0] + tx;
#pragma unroll
    for (int i = 0; i < TK; ++i, n += TS) sum += m[i] * *n;
    __syncthreads();
  }

  if (top + ty < j && left + tx < l) P[(top + ty) * l + left + tx] = sum;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 grid((l + TS - 1) / TS, (j + TS - 1) / TS);
  rect_tiled_matmul_kernel<<<grid, TS * TS>>>(M, N, P, j, k, l);
}
