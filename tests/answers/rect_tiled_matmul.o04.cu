// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: one check guards both loads, so that a thread without an element of N stores a zero in M's
//   tile too, where M has an element that its neighbours need, and the other way round. With j = 2, k = 2, l = 1
//   thread (tx 1, ty 0) has col 1, which does not exist, and stores 0 for M[0][1], which does: P[0][0] lacks the
//   product with N[1][0]. Right where 16 divides all sides. And for k = 0 nothing is launched: P keeps what it had and
//   has to be 0. The grid that has P's rows along x is right.
// want: Take j = 2, k = 2, l = 1: which thread brings M[0][1], and does it? Afterwards: what does the contract say of
//   a sum of no products, and who stores it?
#include "rect_tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH + 1];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH + 1];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  // the grid's x goes down P, its y goes across
  const int row = blockIdx.x * TILE_WIDTH + ty;
  const int col = blockIdx.y * TILE_WIDTH + tx;

  float sum = 0.0f;
  for (int phase = 0; phase * TILE_WIDTH < k; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    if (row < j && m_col < k && n_row < k && col < l) {
      Mds[ty][tx] = M[row * k + m_col];
      Nds[ty][tx] = N[n_row * l + col];
    } else {
      Mds[ty][tx] = 0.0f;
      Nds[ty][tx] = 0.0f;
    }
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

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  // nothing to do if one of them is empty
  if (!j || !k || !l) return;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((j + TILE_WIDTH - 1) / TILE_WIDTH, (l + TILE_WIDTH - 1) / TILE_WIDTH);
  rect_tiled_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
