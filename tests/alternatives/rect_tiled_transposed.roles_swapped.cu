// SPDX-License-Identifier: Apache-2.0
// differs: tx walks along the rows of P while computing, through P's tile in shared memory: a block computes the turned
// tile (tx is a row of P) and turns it before it is stored, so that stores are of neighbours, too.

#include "rect_tiled_transposed.h"

#define S 16

__global__ void swapped(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mts[S][S];
  __shared__ float Nds[S][S];
  __shared__ float Pds[S][S + 1];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int m_row = blockIdx.y * S + tx;
  const int n_col = blockIdx.x * S + tx;

  float sum = 0.0f;  // of P[blockIdx.y * S + tx][blockIdx.x * S + ty]
  for (int phase = 0; phase < (k + S - 1) / S; ++phase) {
    const int i = phase * S + ty;
    Mts[ty][tx] = i < k && m_row < j ? Mt[i * j + m_row] : 0.0f;
    Nds[ty][tx] = i < k && n_col < l ? N[i * l + n_col] : 0.0f;
    __syncthreads();
    for (int d = 0; d < S; ++d) sum += Mts[d][tx] * Nds[d][ty];
    __syncthreads();
  }

  Pds[tx][ty] = sum;
  __syncthreads();
  const int row = blockIdx.y * S + ty;
  if (row < j && n_col < l) P[row * l + n_col] = Pds[ty][tx];
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 grid((l + S - 1) / S, (j + S - 1) / S), block(S, S);
  swapped<<<grid, block>>>(Mt, N, P, j, k, l);
}
