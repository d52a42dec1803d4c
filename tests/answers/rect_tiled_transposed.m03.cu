// SPDX-License-Identifier: Apache-2.0
// mistake: 1. Mt's index takes k for the length of a row, as if it were M's; a row of Mt has j elements. 2. The sum is
//   set to 0 in the first phase only; with k = 0 there is no phase, and P gets an uninitialised value.
// want: Mt is k x j: how long is a row of it? Your index multiplies by k. (Then: who sets sum when k is 0?)
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

  float sum;
  for (int phase = 0; phase < phases; ++phase) {
    if (phase == 0) sum = 0.0f;  // first time

    const int n_row = phase * TILE_WIDTH + ty;

    // tx along the row of Mt, ty down
    const int m_i = phase * TILE_WIDTH + ty;
    const int m_row = blockIdx.y * TILE_WIDTH + tx;
    Mds[ty][tx] = m_i < k && m_row < j ? Mt[m_i * k + m_row] : 0.0f;
    Nds[ty][tx] = n_row < k && col < l ? N[n_row * l + col] : 0.0f;
    __syncthreads();

    // the tile of M lies transposed now
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
