// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: N's load is guarded by row instead of col. Case: width 17, block (1, 0): column 17 and more
//   read past N's end in row 16 (phase 1, ty 0, tx 1: index 289); block (0, 1): threads with ty above 0 have no row of
//   P and store zeros for rows of N that exist, so that P's row 16 is wrong. And the block's barrier now stands at the
//   end of the phase only: after the loads there is a __syncwarp, so that a warp adds up elements that others have not
//   stored yet (width 16 shows it).
// want: N[n_row][col] exists under which two conditions? Compare them with your check. (Then: which warps bring what you read?)
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

    // Fault 1 was here: what is not loaded has to be 0.
    Mds[ty][tx] = 0.0f;
    Nds[ty][tx] = 0.0f;
    if (row < width && m_col < width) {
      Mds[ty][tx] = M[row * width + m_col];
    }
    // Fault 2 was here: two limits, not one.
    if (n_row < width && row < width) {
      Nds[ty][tx] = N[n_row * width + col];
    }
    // Fault 3: the barriers were the wrong way round. The warp has loaded, it may begin ...
    __syncwarp();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    // ... and here the whole block waits before the next tiles come.
    __syncthreads();
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
