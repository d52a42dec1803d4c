// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: at the end of a phase stands __threadfence_block(), which orders a thread's own stores
//   and waits for nobody: a fast warp overwrites N's tile with the next one while another warp still reads it
//   (any width above 16). And the store asks only whether the index lies in P: with width 17 the thread of row
//   0, column 17 stores into P[17], which is row 1, column 0, in a race with the thread that owns it.
//   (N's load with clamped row and column is all right: M's tile holds 0 there.)
// want: a fast warp and a slow one: what keeps the fast one from loading the next tile while the slow one
//   still adds up?
#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

// P = M x N, all width x width, row by row. Each block computes one tile of P, in phases: in each
// phase its threads together bring one tile of M and one of N into shared memory and add up the part
// of the inner products that those two tiles hold.
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

    // Where M has nothing, its tile holds zeros; N's elements are finite, so it does not matter which one
    // stands opposite. Take the nearest that exists.
    Mds[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
    Nds[ty][tx] = N[min(n_row, width - 1) * width + min(col, width - 1)];
    // Other threads brought most of what this one needs: wait until both tiles are there.
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    // A warp is not enough: the whole block has to be through before the next tiles come.
    __threadfence_block();
  }

  // The grid covers P with whole tiles, so that some threads have no element to store.
  const int index = row * width + col;
  if (index < width * width) {
    P[index] = sum;
  }
}

void repair_tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, tiles);
  repair_tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
