// SPDX-License-Identifier: Apache-2.0
// mistake: in the last phase only width % TILE_WIDTH products are added. Where TILE_WIDTH divides width that is 0
//   instead of 16: the whole last phase is missing, for width 16 all of P is 0. Other widths are right.
// want: Your kernel is right for 17 and wrong for 16. How many products does the only phase of width 16 add up, and
//   what does your formula say?
#include "tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;
  const int rest = width % TILE_WIDTH;  // what is left for the last phase

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    Mds[ty][tx] = (row < width && m_col < width) ? M[row * width + m_col] : 0.0f;
    Nds[ty][tx] = (n_row < width && col < width) ? N[n_row * width + col] : 0.0f;
    __syncthreads();

    // no need to multiply all those zeros
    const bool last = phase == phases - 1;
    const int upto = last ? rest : TILE_WIDTH;
    for (int k = 0; k < upto; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    __syncthreads();
  }

  if (row < width && col < width) {
    P[row * width + col] = sum;
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, tiles);
  tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
