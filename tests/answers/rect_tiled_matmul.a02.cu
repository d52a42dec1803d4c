// SPDX-License-Identifier: Apache-2.0
// mistake: 1. stores with the wrong row length: P[row * j + col] instead of row * l (j is how many rows there are).
//   2. the inner loop runs to k - phase * TILE_WIDTH without a limit of TILE_WIDTH, and leaves the tiles.
// want: Mds[ty] has 16 places: up to which i does your loop run in phase 0 with k = 40? (Then: how long is a row of P,
//   a j x l matrix?)
#include "rect_tiled_matmul.h"

#define TILE_WIDTH 16
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))

__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + ty;
  int col = blockIdx.x * TILE_WIDTH + tx;

  float sum = 0.0f;
  for (int phase = 0; phase < CEIL_DIV(k, TILE_WIDTH); ++phase) {
    int m_col = phase * TILE_WIDTH + tx;
    int n_row = phase * TILE_WIDTH + ty;

    Mds[ty][tx] = 0.0f;
    Nds[ty][tx] = 0.0f;
    if (row < j && m_col < k) Mds[ty][tx] = M[row * k + m_col];
    if (n_row < k && col < l) Nds[ty][tx] = N[n_row * l + col];
    __syncthreads();

    // only the products that exist, the zeros need not be multiplied
    for (int i = 0; i < k - phase * TILE_WIDTH; ++i) {
      sum += Mds[ty][i] * Nds[i][tx];
    }
    __syncthreads();
  }

  if (row < j && col < l) {
    P[row * j + col] = sum;
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(CEIL_DIV(l, TILE_WIDTH), CEIL_DIV(j, TILE_WIDTH));
  rect_tiled_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
