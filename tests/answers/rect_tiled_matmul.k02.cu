// SPDX-License-Identifier: Apache-2.0
// mistake: the tiles are 8 deep, and N's tile goes on by 8 rows in each phase, but M's by 16 columns: from the second
//   phase on columns of M meet rows of N that do not belong to them, and some columns of M are never loaded.
// want: In phase 1: which columns of M lie in the tile, and which rows of N?
#include "rect_tiled_matmul.h"

#define TILE 16
#define DEPTH 8  // how much of k in one phase; less shared memory per block

__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE][DEPTH];
  __shared__ float Nds[DEPTH][TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;

  const int phases = (k + DEPTH - 1) / DEPTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    // M's tile is 16 high and 8 wide: the left half of the block loads it
    if (tx < DEPTH) {
      const int m_col = phase * TILE + tx;
      Mds[ty][tx] = row < j && m_col < k ? M[row * k + m_col] : 0.0f;
    }
    // N's tile is 8 high and 16 wide: the upper half
    if (ty < DEPTH) {
      const int n_row = phase * DEPTH + ty;
      Nds[ty][tx] = n_row < k && col < l ? N[n_row * l + col] : 0.0f;
    }
    __syncthreads();

    for (int i = 0; i < DEPTH; ++i) {
      sum += Mds[ty][i] * Nds[i][tx];
    }
    __syncthreads();
  }

  if (row < j && col < l) {
    P[row * l + col] = sum;
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) {
    return;  // no element to store
  }
  const dim3 block(TILE, TILE);
  const dim3 grid((l + TILE - 1) / TILE, (j + TILE - 1) / TILE);
  rect_tiled_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
