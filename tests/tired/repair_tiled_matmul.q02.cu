// SPDX-License-Identifier: Apache-2.0
// mistake: N is read wherever the index is at most width * width, one too many: with width = 17, thread n_row = 16, col = 17
//   and thread n_row = 17, col = 0 read N[289], one element past the last. (A check of the index alone would do with <: what
//   a column too far loads goes into no sum that is stored. The barriers are right: N has two tiles in turn, and a row of
//   M's tile is written and read by one warp only, for which __syncwarp() is enough.)
// want: width = 17: what is the last index of N, and which is the largest that your check lets through?
#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[2][TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P and of M
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;
  const int size = width * width;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    // Load what exists, else a zero.
    Mds[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;

    // A thread whose column does not exist has no element of P, so that it may load anything, as long as that lies in
    // the matrix.
    const int at = n_row * width + col;
    float(*now)[TILE_WIDTH] = Nds[phase & 1];
    now[ty][tx] = at <= size ? N[at] : 0.0f;
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * now[k][tx];
    }
    // M's row ty belongs to one warp (a warp has two rows of the block). N's tile belongs to all, but the next phase
    // fills the other one, and after that comes a barrier.
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
