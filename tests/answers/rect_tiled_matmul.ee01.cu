// SPDX-License-Identifier: Apache-2.0
// mistake: M's load lets one column too many pass (tx <= left where tx < left is needed): where 16 does not
//   divide k, M's tile gets the element in column k, which is the first of the next row. It meets a 0 of N's
//   tile, so that finite values come out right; but with j = 2, k = 5, l = 1 and M[1][0] infinite, P[0][0]
//   becomes NaN. In the last row it reads M[j * k], past the end (j = 1, k = 5: M[5]).
// want: k = 5: how many columns does M have, and which tx load one of them in the first phase?
#include "rect_tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;

  // Pointers at this thread's elements of the first tiles; they move on by a tile in each phase.
  const float* m = M + row * k + tx;
  const float* n = N + ty * l + col;

  float sum = 0.0f;
  // left: how much of k is still to do
  for (int left = k; left > 0; left -= TILE_WIDTH) {
    Mds[ty][tx] = (row < j && tx <= left) ? *m : 0.0f;
    Nds[ty][tx] = (ty < left && col < l) ? *n : 0.0f;
    m += TILE_WIDTH;
    n += TILE_WIDTH * l;
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
