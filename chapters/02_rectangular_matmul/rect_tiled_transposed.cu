// SPDX-License-Identifier: Apache-2.0
//
// Chapter 2, rectangular matrices: M is stored transposed. The kernel below is right for every shape, but its
// loads of Mt are not coalesced: a warp reads down a column and uses only one or two of the eight elements in
// each 32-byte sector. Only the load of M's tile, and the line that reads that tile, have to change.
//
//   ./warplings check rect_tiled_transposed --verbose

#include "rect_tiled_transposed.h"

#define TILE_WIDTH 16

// P = M x N: Mt is k x j (M[row][i] is Mt[i * j + row]), N is k x l, P is j x l, all row by row.
__global__ void rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P, if it is below j
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N, if it is below l

  const int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int n_row = phase * TILE_WIDTH + ty;

    // This thread loads M[m_row][m_i].
    // TODO 1: which elements do threads 0, 1 and 2 of a warp read? Choose m_i and m_row so that neighbouring
    // threads read neighbouring elements of a row of Mt.
    const int m_i = phase * TILE_WIDTH + tx;
    const int m_row = row;
    Mds[ty][tx] = m_i < k && m_row < j ? Mt[m_i * j + m_row] : 0.0f;
    Nds[ty][tx] = n_row < k && col < l ? N[n_row * l + col] : 0.0f;
    __syncthreads();

    // TODO 2: where in the tile is M[row][phase * TILE_WIDTH + i] now?
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
