// SPDX-License-Identifier: Apache-2.0
// mistake: the load of M asks only whether the index lies in the matrix; past the right edge it takes elements of
//   the next row, which are then multiplied by N's zeros. That is NaN where such an element is infinite or NaN:
//   width 17, M[1][0] = infinity, all else finite: P[0][c] becomes NaN and has to be finite. (The same kind of
//   check for N is all right: a wrong column there ends up in no stored sum, and nothing behind N is read.)
// want: What lies in M's tile in the columns that M does not have, and what does it give times zero, if it is an
//   infinity?
#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

// P = M x N, all width x width, row by row. Each block computes one tile of P, in phases.
__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P and of M
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;
  const int size = width * width;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_at = row * width + phase * TILE_WIDTH + tx;
    const int n_at = (phase * TILE_WIDTH + ty) * width + col;

    // Never read outside of the matrices, and leave nothing old in the tiles.
    Mds[ty][tx] = m_at < size ? M[m_at] : 0.0f;
    Nds[ty][tx] = n_at < size ? N[n_at] : 0.0f;
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    // A block has eight warps, all of them have to be here.
    __syncthreads();
  }

  if (row < width && col < width) {
    P[row * width + col] = sum;
  }
}

void repair_tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, tiles);
  repair_tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
