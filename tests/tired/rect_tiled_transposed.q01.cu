// SPDX-License-Identifier: Apache-2.0
// mistake: the thread loads Mt in column m_row, which comes from tx, but the check still asks for row, which comes from ty.
//   j = 17, k = 2, l = 1: in the lower block thread (tx 0, ty 1) should load M[16][1] and puts 0 there, since its row is 17,
//   so that P[16] lacks a product; thread (tx 1, ty 0) reads Mt[0 * 17 + 17], another element. Where 16 divides j it is right.
// want: j = 17, the lower block, thread (0, 1): which element of M does it load, and does that element exist?
#include "rect_tiled_transposed.h"

#define TILE_WIDTH 16

__global__ void rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];  // Mds[i][r]: as it lies in Mt
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;

  const int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int n_row = phase * TILE_WIDTH + ty;

    // tx walks along a row of Mt, as it does along one of N.
    const int m_i = n_row;
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
