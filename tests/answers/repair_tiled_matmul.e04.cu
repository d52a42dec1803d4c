// SPDX-License-Identifier: Apache-2.0
// mistake: N's tile has two buffers, but the zeros still go to Nds[0] in every phase. In an odd last phase they
//   overwrite rows from which slower warps still sum the phase before, and Nds[1] keeps what nobody wrote
//   (an even number of phases, width not a multiple of 16).
// want: In phase 1, which of the two buffers gets N's elements, and which one gets the zeros where N has no
//   row? Who may still be reading the second one at that moment?

#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

// A warp is two rows of the block. It reads only those rows of M's tile that it loaded itself: there
// __syncwarp is right. N's tile is read by everybody, so it gets two buffers, and then one barrier of the
// whole block for each phase is enough: nobody is more than one phase ahead.
__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[2][TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P and of M
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;
    const int b = phase % 2;

    if (row < width && m_col < width) {
      Mds[ty][tx] = M[row * width + m_col];
    } else {
      Mds[ty][tx] = 0.0f;
    }
    if (n_row < width && col < width) {
      Nds[b][ty][tx] = N[n_row * width + col];
    } else {
      Nds[0][ty][tx] = 0.0f;
    }
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[b][k][tx];
    }
    __syncwarp();
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
