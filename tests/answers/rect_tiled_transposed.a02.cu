// SPDX-License-Identifier: Apache-2.0
// mistake: m_row is taken from blockIdx.x because tx goes with it; M's rows belong to blockIdx.y, whichever thread
//   coordinate walks along them.
// want: A block computes rows blockIdx.y * 16 ... of P. Which rows of M does it need, then, no matter which of its
//   threads fetches them?
#include "rect_tiled_transposed.h"

#define TILE_WIDTH 16

__global__ void rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];  // [i][row]
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];  // [i][col]

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;

  float sum = 0.0f;
  for (int start = 0; start < k; start += TILE_WIDTH) {
    const int i_here = start + ty;  // the same for both tiles
    const int m_row = blockIdx.x * TILE_WIDTH + tx;

    if (i_here < k && m_row < j)
      Mds[ty][tx] = Mt[i_here * j + m_row];
    else
      Mds[ty][tx] = 0.0f;

    if (i_here < k && col < l)
      Nds[ty][tx] = N[i_here * l + col];
    else
      Nds[ty][tx] = 0.0f;
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
