// SPDX-License-Identifier: Apache-2.0
// mistake: the registers m and n are set to 0 once, before the loop; where nothing exists in a later phase, they keep
//   the element of the phase before, and that goes into the tiles. Both tiles have such old elements at the same
//   places, so that their products are added once more. k = 20, j = l = 1: in phase 1, places 4 to 15 hold M's and
//   N's elements 4 to 15 again. Right for k up to 16 and for multiples of 16.
// want: Take k = 20. What is in m of the thread with tx = 5 in the second phase, when it stores to the tile?
#include "rect_tiled_matmul.h"

#define TILE_WIDTH 16

// P = M x N: M is j x k, N is k x l, P is j x l, row by row.
__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P and of M
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N

  // 0 where nothing exists
  float m = 0.0f;
  float n = 0.0f;

  int m_at = row * k + tx;
  int n_at = ty * l + col;
  float sum = 0.0f;
  for (int left = k; left > 0; left -= TILE_WIDTH) {
    if (row < j && tx < left) m = M[m_at];
    if (ty < left && col < l) n = N[n_at];
    Mds[ty][tx] = m;
    Nds[ty][tx] = n;
    __syncthreads();

    for (int i = 0; i < TILE_WIDTH; ++i) {
      sum += Mds[ty][i] * Nds[i][tx];
    }
    __syncthreads();

    m_at += TILE_WIDTH;
    n_at += TILE_WIDTH * l;
  }

  if (row < j && col < l) {
    P[row * l + col] = sum;
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((l + TILE_WIDTH - 1) / TILE_WIDTH, (j + TILE_WIDTH - 1) / TILE_WIDTH);
  rect_tiled_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
