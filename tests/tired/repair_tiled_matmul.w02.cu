// SPDX-License-Identifier: Apache-2.0
// mistake: The second barrier is replaced by two buffers, but only M's tile has two; N's tile has still one. A
//   warp that has finished phase 0 goes on and writes Nds for phase 1 while slower warps still read Nds of
//   phase 0: a race from the second phase on (width 17 and more). Width 32: warp 0 may overwrite Nds[0][..]
//   with N's row 16 before warp 7 has used row 0. Both boundary checks are repaired.
// want: You took away a barrier: what protected whom? Go through both tiles: who may write Nds[0][0] for phase
//   1 while who still reads it for phase 0?
#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

// P = M x N, all width x width, row by row. Each block computes one tile of P, in phases: in each
// phase its threads together bring one tile of M and one of N into shared memory and add up the part
// of the inner products that those two tiles hold.
__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[2][TILE_WIDTH][TILE_WIDTH];
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
    // Even phases use one half, odd phases the other.
    float(*Mcur)[TILE_WIDTH] = Mds[phase & 1];

    // What does not exist counts as zero, in both tiles.
    float m = 0.0f, n = 0.0f;
    if (row < width && m_col < width) m = M[row * width + m_col];
    if (n_row < width && col < width) n = N[n_row * width + col];
    Mcur[ty][tx] = m;
    Nds[ty][tx] = n;
    // Other threads brought most of what this one needs: wait until both tiles are there.
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mcur[ty][k] * Nds[k][tx];
    }
    // No barrier here any more: the next phase writes into the other half.
  }

  // The grid covers P with whole tiles, so that some threads have no element to store.
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
