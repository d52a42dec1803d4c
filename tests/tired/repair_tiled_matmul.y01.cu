// SPDX-License-Identifier: Apache-2.0
// mistake: The __syncwarp at the end of a phase became __threadfence_block, which orders a thread's own writes and
//   waits for nobody: a fast warp overwrites the tiles while a slow one still reads them. Case: width 32, two phases:
//   warp 0 stores rows 0 and 1 of the second tiles while warp 7 still reads Nds[0][tx] of the first. (The other two
//   faults are repaired.)
// want: After your last line of a phase, what holds back a fast warp until the slowest one has done its sum?
#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P and of M
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    // repair 1: zeros in M's tile as well, a NaN that lies around in shared memory times 0 is a NaN
    float m = 0.0f;
    if (row < width && m_col < width) {
      m = M[row * width + m_col];
    }
    Mds[ty][tx] = m;
    // repair 2: the last row of N has nothing behind it
    if (n_row < width && col < width) {
      Nds[ty][tx] = N[n_row * width + col];
    } else {
      Nds[ty][tx] = 0.0f;
    }
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    // repair 3: a warp is not enough, the tiles belong to the whole block
    __threadfence_block();
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
