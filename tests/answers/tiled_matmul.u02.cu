// SPDX-License-Identifier: Apache-2.0
// mistake: the store is guarded by the linear index alone. A thread with col >= width and row < width - 1 passes the
//   check and stores into the next row. Width 17: block (1, 0), tx = 1, ty = 0 has row 0, column 17, index 17, and
//   overwrites (in a race) P[1][0] with its own sum. The same kind of check on the loads does no harm: an N row
//   that does not exist always lies past the end and becomes 0, so that a wrapped element of M is multiplied by 0,
//   and a wrapped element of N reaches only sums that have no place in P.
// want: For width 17, which thread stores P[17], and which row and column of P has that thread in mind? Is it the
//   only one that stores there?
#include "tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;
  const int size = width * width;  // number of elements of each matrix

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m = row * width + phase * TILE_WIDTH + tx;
    const int n = (phase * TILE_WIDTH + ty) * width + col;

    Mds[ty][tx] = m < size ? M[m] : 0.0f;
    Nds[ty][tx] = n < size ? N[n] : 0.0f;
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    __syncthreads();
  }

  const int p = row * width + col;
  if (p < size) {
    P[p] = sum;
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, tiles);
  tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
