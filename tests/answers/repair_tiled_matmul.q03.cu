// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: threads without an element of P leave at the beginning, but they load for others too. width = 17,
//   block (1, 0): only the threads with tx = 0 stay, so that columns 1 to 15 of Mds are never stored, and P[0][16] is
//   computed from them. And at the end of a phase still only the warp waits: width = 48: a fast warp stores its rows of the
//   next Nds while slower ones read the old. (The loop over k ends with the matrix, so that no zeros are needed.)
// want: Two questions. width = 17, block (1, 0): who stores Mds[0][1] there? And at the end of a phase, who may still be
//   reading Nds[0] when warp 0 stores it anew?
#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P and of M
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N

  // No element of P, nothing to do. From here on row and col exist.
  if (row >= width || col >= width) return;

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    // Load what exists; the rest is not read.
    if (m_col < width) {
      Mds[ty][tx] = M[row * width + m_col];
    }
    if (n_row < width) {
      Nds[ty][tx] = N[n_row * width + col];
    }
    // Other threads brought most of what this one needs: wait until both tiles are there.
    __syncthreads();

    const int here = min(TILE_WIDTH, width - phase * TILE_WIDTH);
    for (int k = 0; k < here; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    // The 32 threads of a warp run side by side; once they are all here, the next tiles may come.
    __syncwarp();
  }

  P[row * width + col] = sum;
}

void repair_tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, tiles);
  repair_tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
