// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: __threadfence_block() at the loop's end orders a thread's own accesses and waits for nobody, so
//   that a fast warp brings the next tiles while others still read these: a race from width = 16 on. And N's
//   check is col <= width: column `width` is loaded, which does not exist; width = 17, last row 16, col = 17:
//   N[16 * 17 + 17] is one element past the end.
//   N's tile, kept transposed, and the phase too many where 16 divides width (all zeros) are right.
// want: which thread is the fence at the end of the loop to wait for, and what does the manual say that a fence waits for?
#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH + 1];  // turned: Nds[column][row]

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;

  const int phases = width / TILE_WIDTH + 1;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    float m = 0.0f, n = 0.0f;
    if (row < width && m_col < width) m = M[row * width + m_col];
    if (n_row < width && col <= width) n = N[n_row * width + col];
    Mds[ty][tx] = m;
    Nds[tx][ty] = n;
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[tx][k];
    }
    // the whole block has to be done with the tiles, not just the warp
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
