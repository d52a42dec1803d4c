// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the zero for M goes to Mds[tx][ty], another thread's place, and not to Mds[ty][tx].
//   Width 40, block row 0, phase 1: threads with tx >= 8 zero the rows 8 to 31 of the tile, at columns 0 to 7
//   in a race with the threads that load real elements there, while Mds[0..7][8..31] keep the values of phase
//   0 (times N's zeros). With a single block (width up to 32) the places that are missing are symmetric and
//   the values right. And the second barrier is still only __syncwarp: M's row belongs to the warp alone, but
//   Nds is read by all 32 warps, and a fast one overwrites it (width 33 and more).
// want: Where does a thread that has no element of M put its zero? Try the thread tx = 20, ty = 0 of block row
//   0 with width 40 in phase 1. (Then: which warps read what warp 0 wrote into Nds?)
#include "repair_tiled_matmul.h"

// A tile row of 32 is exactly one warp, that makes the synchronization simpler.
#define TILE_WIDTH 32

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

    // Load what exists, zeros for the rest.
    if (row < width && m_col < width) {
      Mds[ty][tx] = M[row * width + m_col];
    } else {
      Mds[tx][ty] = 0.0f;
    }
    if (n_row < width && col < width) {
      Nds[ty][tx] = N[n_row * width + col];
    } else {
      Nds[ty][tx] = 0.0f;
    }
    // Other threads brought most of what this one needs: wait until both tiles are there.
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    // Each warp has its own row of the tiles (ty), and its 32 threads are all here now.
    __syncwarp();
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
