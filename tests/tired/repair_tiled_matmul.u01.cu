// SPDX-License-Identifier: Apache-2.0
// mistake: the __syncwarp at the end of a phase became __threadfence_block. A fence orders this thread's own
//   accesses and waits for nobody, so that a fast warp overwrites both tiles while a slow one still reads them: a
//   race from two phases on, for example width 17 or 32. The other two faults are repaired.
// want: Suppose that warp 0 is through with its sums and warp 7 has not begun. What keeps warp 0 from loading the
//   next tiles? Does that call wait for anybody?
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

    // Load what exists. (0 x NaN is not 0, so M's tile needs its own zeros.)
    if (row < width && m_col < width) {
      Mds[ty][tx] = M[row * width + m_col];
    } else {
      Mds[ty][tx] = 0.0f;
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
    // A block has 8 warps: order the accesses of all of them before the next tiles come.
    __threadfence_block();
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
