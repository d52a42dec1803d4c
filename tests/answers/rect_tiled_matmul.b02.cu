// SPDX-License-Identifier: Apache-2.0
// mistake: (1) the number of phases comes from N.cols (l) instead of N.rows (k): products are lost where k needs
//   more tiles than l. (2) no check for an empty P: with j == 0 or l == 0 a grid of no blocks is launched.
// want: the phases walk along the side that M and N share; compare the number of phases with ceil(k / 16) for a
//   shape with k = 50, l = 20. Then: what is the grid when a side is 0?
#include "rect_tiled_matmul.h"

#define TILE_WIDTH 16

struct Matrix {
  const float* data;
  int rows, cols;

  __device__ float at(int r, int c) const { return r < rows && c < cols ? data[r * cols + c] : 0.0f; }
};

__global__ void rect_tiled_matmul_kernel(Matrix M, Matrix N, float* P) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;
  const int phases = (N.cols + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    Mds[ty][tx] = M.at(row, phase * TILE_WIDTH + tx);
    Nds[ty][tx] = N.at(phase * TILE_WIDTH + ty, col);
    __syncthreads();
    for (int i = 0; i < TILE_WIDTH; ++i) {
      sum += Mds[ty][i] * Nds[i][tx];
    }
    __syncthreads();
  }

  if (row < M.rows && col < N.cols) {
    P[row * N.cols + col] = sum;
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((l + TILE_WIDTH - 1) / TILE_WIDTH, (j + TILE_WIDTH - 1) / TILE_WIDTH);
  rect_tiled_matmul_kernel<<<grid, block>>>(Matrix{M, j, k}, Matrix{N, k, l}, P);
}
