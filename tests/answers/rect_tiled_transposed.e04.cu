// SPDX-License-Identifier: Apache-2.0
// mistake: (1) the macro MT has no parentheses: MT(phase * T + ty, ..) multiplies only ty by j, right in phase 0
//   only (k up to 16). (2) the store is checked with m_row, which runs with tx, while row runs with ty: where
//   16 does not divide j, elements are not stored and others land past P.
// want: Write out by hand what MT(phase * T + ty, m_row) becomes: what is multiplied by j? And at the end: which
//   row does a thread store, and which row do you ask about?

#include "rect_tiled_transposed.h"

#define T 16
#define MT(i, r) Mt[i * j + r]
#define NN(i, c) N[i * l + c]
#define PP(r, c) P[r * l + c]

__global__ void rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[T][T];
  __shared__ float Nds[T][T];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * T + ty;
  const int col = blockIdx.x * T + tx;
  const int m_row = blockIdx.y * T + tx;  // tx walks along a row of Mt

  const int phases = (k + T - 1) / T;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int inner = phase * T + ty;

    float m = 0.0f;
    if (inner < k && m_row < j) m = MT(phase * T + ty, m_row);
    Mds[ty][tx] = m;

    float n = 0.0f;
    if (inner < k && col < l) n = NN(inner, col);
    Nds[ty][tx] = n;
    __syncthreads();

    for (int i = 0; i < T; ++i) {
      sum += Mds[i][ty] * Nds[i][tx];
    }
    __syncthreads();
  }

  if (m_row < j && col < l) {
    PP(row, col) = sum;
  }
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;

  const dim3 block(T, T);
  const dim3 grid((l + T - 1) / T, (j + T - 1) / T);
  rect_tiled_transposed_kernel<<<grid, block>>>(Mt, N, P, j, k, l);
}
