// SPDX-License-Identifier: Apache-2.0
// exercise: rect_tiled_matmul
// verdict: passed
// must not: be refused
// Honest control: where there are no products P is 0, and cudaMemset says that best. Otherwise the kernel.

#include "rect_tiled_matmul.h"

#define TILE_WIDTH 16

// P = M x N: M is j x k, N is k x l, P is j x l, row by row.
__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P and of M: below j
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N: below l

  // The side that M and N share. With k == 0 there is no phase, and the sum stays 0.
  const int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;  // of M: below k
    const int n_row = phase * TILE_WIDTH + ty;  // of N: below k

    Mds[ty][tx] = row < j && m_col < k ? M[row * k + m_col] : 0.0f;
    Nds[ty][tx] = n_row < k && col < l ? N[n_row * l + col] : 0.0f;
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

static void solve(const float* M, const float* N, float* P, int j, int k, int l) {
  // A launch with an empty grid is an error. k == 0 is no reason to leave: then all of P is 0.
  if (j == 0 || l == 0) return;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((l + TILE_WIDTH - 1) / TILE_WIDTH, (j + TILE_WIDTH - 1) / TILE_WIDTH);
  rect_tiled_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}


void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (k == 0) {
    if (j > 0 && l > 0) cudaMemset(P, 0, (size_t)j * l * sizeof(float));
    return;
  }
  solve(M, N, P, j, k, l);

}
