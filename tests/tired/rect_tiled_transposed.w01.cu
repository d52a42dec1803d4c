// SPDX-License-Identifier: Apache-2.0
// mistake: The load now goes to M[m_row][m_i] with m_row from tx, but the check still asks for row, which
//   comes from ty. j = 17, second block row: row < 17 only for ty = 0, so the tile gets only the first i of
//   each phase, and there tx >= 1 reads columns 17 and more of Mt, the next row or past its end. P[16][c]
//   becomes Mt[0][16] * N[0][c] plus every sixteenth product. Right where 16 divides j.
// want: Which element of Mt does this thread load now, and of which one does the condition in front of it
//   speak? Try j = 17, block row 1, tx = 0, ty = 1.
#include "rect_tiled_transposed.h"

#define TILE_WIDTH 16

// P = M x N: Mt is k x j (M[row][i] is Mt[i * j + row]), N is k x l, P is j x l, row by row.
__global__ void rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P: below j
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N: below l

  const int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int n_row = phase * TILE_WIDTH + ty;

    // tx walks along a row of Mt: it picks M's row, ty picks i (the same as N's row).
    const int m_row = blockIdx.y * TILE_WIDTH + tx;
    Mds[ty][tx] = n_row < k && row < j ? Mt[n_row * j + m_row] : 0.0f;
    Nds[ty][tx] = n_row < k && col < l ? N[n_row * l + col] : 0.0f;
    __syncthreads();

    // Both tiles have i from top to bottom now.
    for (int i = 0; i < TILE_WIDTH; ++i) {
      sum += Mds[i][ty] * Nds[i][tx];
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
