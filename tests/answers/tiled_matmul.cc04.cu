// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the tiles are zeroed once, at the kernel's start; in the last phase the places where nothing
//   exists keep both matrices' elements of the phase before, and their products are added. width = 17: phase
//   1 adds M[row][1..15] x N[1..15][col] again. And the grid is 2 x 2 blocks for every width, so that a
//   thread stores up to 81 elements of P at width = 257, more than the 64 that are allowed.
// want: in the last phase of width 17, what lies in row 0, column 1 of M's tile, and who put it there, and when?
#include "tiled_matmul.h"

#define TILE 16
#define GRID 2

__global__ void tiles_in_turn(const float* M, const float* N, float* P, int width) {
  __shared__ float ms[TILE][TILE];
  __shared__ float ns[TILE][TILE];
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int tiles = (width + TILE - 1) / TILE;

  // the edges are zero from here on
  ms[ty][tx] = 0.0f;
  ns[ty][tx] = 0.0f;
  __syncthreads();

  // grid-stride loop over the tiles of P
  for (int by = blockIdx.y; by < tiles; by += gridDim.y) {
    for (int bx = blockIdx.x; bx < tiles; bx += gridDim.x) {
      int row = by * TILE + ty;
      int col = bx * TILE + tx;
      float sum = 0.0f;
      for (int p = 0; p < tiles; ++p) {
        int mc = p * TILE + tx;
        int nr = p * TILE + ty;
        if (row < width && mc < width) ms[ty][tx] = M[row * width + mc];
        if (nr < width && col < width) ns[ty][tx] = N[nr * width + col];
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += ms[ty][k] * ns[k][tx];
        __syncthreads();
      }
      if (row <= width - 1 && col <= width - 1) P[row * width + col] = sum;
    }
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  // a few blocks are enough, each takes every second tile
  tiles_in_turn<<<dim3(GRID, GRID), dim3(TILE, TILE)>>>(M, N, P, width);
}
