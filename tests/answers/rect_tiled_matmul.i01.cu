// SPDX-License-Identifier: Apache-2.0
// mistake: loads that do not exist are moved to the edge: they bring the last column of M and the last row of N again
//   instead of zeros. Where TILE_WIDTH does not divide k, the product of M's last column and N's last row is added
//   16 - k % 16 times too often. j and l do not matter.
// want: k = 17, second phase: which elements of M stand in a row of the tile, and how many of their products belong
//   to the sum?
#include "rect_tiled_matmul.h"

#define TILE_WIDTH 16

// Reads A[r][c] and never outside: what is too far is read at the border.
__device__ float read_safe(const float* A, int r, int c, int rows, int cols) {
  r = min(r, rows - 1);
  c = min(c, cols - 1);
  return A[r * cols + c];
}

__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;

  float sum = 0.0f;
  for (int first = 0; first < k; first += TILE_WIDTH) {
    Mds[ty][tx] = read_safe(M, row, first + tx, j, k);
    Nds[ty][tx] = read_safe(N, first + ty, col, k, l);
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
  if (j == 0 || l == 0) return;
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((l + TILE_WIDTH - 1) / TILE_WIDTH, (j + TILE_WIDTH - 1) / TILE_WIDTH);
  rect_tiled_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
