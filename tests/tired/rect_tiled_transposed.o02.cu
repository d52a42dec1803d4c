// SPDX-License-Identifier: Apache-2.0
// mistake: M's load is checked with `row` (from ty), but the element loaded is in row m_row (from tx). With j = 1, k =
//   2, l = 1: thread (tx 0, ty 1) has row 1, which does not exist, and stores 0 for M[0][1], which does; and thread
//   (tx 1, ty 0) has row 0, passes, and loads Mt[0 * 1 + 1] for M[1][0], which does not exist. Where 16 does not
//   divide j the lowest blocks lose elements or load past Mt's end (j = 4, k = 3: values right, but Mt[2 * 4 + 15] of
//   12 elements is loaded). Right where 16 divides j. The tile stored with [tx][ty] and used as before is right.
// want: The loads are side by side now. When thread (tx 3, ty 0) loads its element of M, in which row of M is that,
//   and which row does its check ask about?
#include "rect_tiled_transposed.h"

#define TILE_WIDTH 16

// P = M x N: Mt is k x j (M[row][i] is Mt[i * j + row]), N is k x l, P is j x l, row by row.
__global__ void rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH + 1];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P: below j
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N: below l

  const int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int n_row = phase * TILE_WIDTH + ty;

    const int m_i = phase * TILE_WIDTH + ty;
    const int m_row = blockIdx.y * TILE_WIDTH + tx;
    // turned round on the way in: the tile looks as before
    Mds[tx][ty] = m_i < k && row < j ? Mt[m_i * j + m_row] : 0.0f;
    Nds[ty][tx] = n_row < k && col < l ? N[n_row * l + col] : 0.0f;
    __syncthreads();

    for (int i = 0; i < TILE_WIDTH; ++i) {
      sum += Mds[ty][i] * Nds[i][tx];
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
