// SPDX-License-Identifier: Apache-2.0
// mistake: the fetch for the next phase checks this phase's m_col and n_row, and then loads 16 farther. With j = l =
//   1, k = 20, the threads tx = 4 to 15 fetch M[20] to M[31], past M, and of N what lies past it as well: the products
//   go into P. Even where 16 divides k, the fetch after the last phase goes out of range (k = 16: M[16 * row + 16 +
//   tx]), though that one is not used. The first fetch, before the loop, is right, and so are both barriers.
// want: The tiles of phase 1 are fetched during phase 0. For which column of M does the check ask, and which is
//   loaded? Take k = 20 and the thread with tx = 10.
#include "rect_tiled_matmul.h"

#define TW 16

__global__ void prefetching(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TW][TW];
  __shared__ float Nds[TW][TW];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TW + ty;
  const int col = blockIdx.x * TW + tx;
  const int phases = (k + TW - 1) / TW;

  int m_col = tx;
  int n_row = ty;
  float m_next = row < j && m_col < k ? M[row * k + m_col] : 0.0f;
  float n_next = n_row < k && col < l ? N[n_row * l + col] : 0.0f;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    Mds[ty][tx] = m_next;
    Nds[ty][tx] = n_next;
    __syncthreads();

    // on its way while the products are added up
    m_next = row < j && m_col < k ? M[row * k + m_col + TW] : 0.0f;
    n_next = n_row < k && col < l ? N[(n_row + TW) * l + col] : 0.0f;
    m_col += TW;
    n_row += TW;

    for (int i = 0; i < TW; ++i) {
      sum += Mds[ty][i] * Nds[i][tx];
    }
    __syncthreads();
  }

  if (row < j && col < l) {
    P[row * l + col] = sum;
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const int across = (l + TW - 1) / TW;
  const int down = (j + TW - 1) / TW;
  prefetching<<<dim3(across, down), dim3(TW, TW)>>>(M, N, P, j, k, l);
}
