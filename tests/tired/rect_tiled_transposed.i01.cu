// SPDX-License-Identifier: Apache-2.0
// mistake: the load of M's tile is turned rightly, but its check still asks for `row`, the row of P, which goes with
//   ty, instead of m_row, which goes with tx. Where 16 does not divide j, in the last tile row the threads with
//   row >= j store zeros into rows of the tile that others need: products are missing where k is above j % 16.
//   (The others load past the row's end.) Right where 16 divides j.
// want: j = 17: in the lower blocks, which threads load something, and which column of Mt does each of them load?
//   Compare the index with what you ask before it.
#include "rect_tiled_transposed.h"

#define TILE_WIDTH 16

__global__ void rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];  // [i][row], as in Mt
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P: below j
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N: below l

  const int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int step = phase * TILE_WIDTH + ty;  // row of Mt and row of N
    const int m_row = blockIdx.y * TILE_WIDTH + tx;

    Mds[ty][tx] = step < k && row < j ? Mt[step * j + m_row] : 0.0f;
    Nds[ty][tx] = step < k && col < l ? N[step * l + col] : 0.0f;
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
