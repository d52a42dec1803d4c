// SPDX-License-Identifier: Apache-2.0
// mistake: The barrier at the end of a phase was taken out, and only M's tile has a second buffer to make up for it.
//   N's tile has one: a fast warp overwrites it for the next phase while a slow one still reads it. Case: width 32:
//   warp 0 stores rows 0 and 1 of N's second tile while warp 7 still reads Nds[0][tx] of the first. Each column of
//   Nds is written by 16 threads, of all warps. (Mds is right with one barrier; the clamped column of N is right.)
// want: Who writes the 16 elements of Nds that a thread reads in its sum, and may those threads be a phase ahead?
#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  // M's tile twice: one to read from, one for the next phase. Then one barrier a phase is enough.
  __shared__ float Mds[2][TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;
    float(*m_now)[TILE_WIDTH] = Mds[phase & 1];

    m_now[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
    // A column that does not exist: take the last one instead, it ends up in no sum that is stored.
    // A thread writes to its own column tx of N's tile and reads only this column, so one is enough here.
    Nds[ty][tx] = n_row < width ? N[n_row * width + min(col, width - 1)] : 0.0f;
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += m_now[ty][k] * Nds[k][tx];
    }
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
