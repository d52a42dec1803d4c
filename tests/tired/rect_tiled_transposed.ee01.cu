// SPDX-License-Identifier: Apache-2.0
// mistake: the load of Mt goes to row m_row (with tx), but its check asks for row (with ty), the row of P.
//   With j = 1, k = 2, l = 1: thread (tx 0, ty 1) should load M[0][1], but its row 1 does not exist, so 0 goes
//   into the tile, and P[0][0] lacks its second product. And thread (tx 2, ty 0) passes, and reads Mt[2], past
//   the end. Right only where 16 divides j.
// want: which element does a thread load from Mt, and which row does its check ask about?
#include "rect_tiled_transposed.h"

#define TILE_WIDTH 16

// P = M x N: Mt is k x j (M[row][i] is Mt[i * j + row]), N is k x l, P is j x l, row by row.
__global__ void rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];  // as in memory: Mds[i][row]
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;

  const int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int i0 = phase * TILE_WIDTH + ty;  // the row of Mt and of N
    const int m_row = blockIdx.y * TILE_WIDTH + tx;
    Mds[ty][tx] = i0 < k && row < j ? Mt[i0 * j + m_row] : 0.0f;
    Nds[ty][tx] = i0 < k && col < l ? N[i0 * l + col] : 0.0f;
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
