// SPDX-License-Identifier: Apache-2.0
// mistake: tx and ty have changed their roles everywhere (tx is the row of P): now the loads of Mt are
//   neighbours, but those of N, and the stores to P, walk down a column. The values are right.
// want: write down the addresses of N that threads 0, 1 and 2 of a warp read. They are l floats apart; only the
//   load of M's tile needed another assignment of threads.
#include "rect_tiled_transposed.h"

#define TILE_WIDTH 16

// P = M x N: Mt is k x j (M[row][i] is Mt[i * j + row]), N is k x l, P is j x l, row by row.
__global__ void rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  // Both tiles lie as i counts: Mds[i][row], Nds[col][i].
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + tx;  // neighbours of a warp along a row of Mt
  const int col = blockIdx.x * TILE_WIDTH + ty;

  const int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_i = phase * TILE_WIDTH + ty;
    const int n_row = phase * TILE_WIDTH + tx;
    Mds[ty][tx] = m_i < k && row < j ? Mt[m_i * j + row] : 0.0f;
    Nds[ty][tx] = n_row < k && col < l ? N[n_row * l + col] : 0.0f;
    __syncthreads();

    for (int i = 0; i < TILE_WIDTH; ++i) {
      sum += Mds[i][tx] * Nds[ty][i];
    }
    __syncthreads();
  }

  if (row < j && col < l) {
    P[row * l + col] = sum;
  }
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((l + TILE_WIDTH - 1) / TILE_WIDTH, (j + TILE_WIDTH - 1) / TILE_WIDTH);
  rect_tiled_transposed_kernel<<<grid, block>>>(Mt, N, P, j, k, l);
}
