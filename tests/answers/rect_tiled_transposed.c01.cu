// SPDX-License-Identifier: Apache-2.0
// mistake: tx now walks along a row of Mt, but the row of M that it loads is counted from blockIdx.x (m_row = col): blocks
//   off the diagonal fetch the tile that belongs to another row of tiles.
// want: Block (2, 0) computes rows 0 to 15 of P. Which rows of M does it load?
#include "rect_tiled_transposed.h"

#define TILE_WIDTH 16

__global__ void rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];  // [i][row]
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];  // [i][col]

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P: below j
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N: below l

  const int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int n_row = phase * TILE_WIDTH + ty;

    // Mt is loaded exactly like N now: i goes down with ty, and across goes tx.
    const int m_i = n_row;
    const int m_row = col;
    Mds[ty][tx] = m_i < k && m_row < j ? Mt[m_i * j + m_row] : 0.0f;
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
