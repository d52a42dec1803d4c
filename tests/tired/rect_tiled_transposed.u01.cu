// SPDX-License-Identifier: Apache-2.0
// mistake: the thread now loads M[m_row][m_i] with m_row from tx, but the check still asks for its own row (from ty).
//   j = 17, block (0, 1): threads with ty >= 1 have row >= 17 and put 0 where M[16][m_i] belongs (tx = 0), so that
//   P[16] gets only M[16][0], M[16][16], ...; and the threads ty = 0, tx >= 1 read columns 17 to 31 of Mt, past its
//   end in the last row. Right where 16 divides j.
// want: Which element of Mt does thread tx = 0, ty = 5 of block row 1 load for j = 17, and does your check let it?
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

    // tx walks along a row of Mt, that is, down a column of M
    const int m_i = phase * TILE_WIDTH + ty;
    const int m_row = blockIdx.y * TILE_WIDTH + tx;
    Mds[ty][tx] = m_i < k && row < j ? Mt[m_i * j + m_row] : 0.0f;
    Nds[ty][tx] = n_row < k && col < l ? N[n_row * l + col] : 0.0f;
    __syncthreads();

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
