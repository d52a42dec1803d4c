// SPDX-License-Identifier: Apache-2.0
// mistake: N's tile is loaded with tx going down a column of N: neighbouring threads of a warp read elements l
//   apart, and a warp's 128 bytes lie in 16 sectors (512 bytes). M's loads are as they should be; together
//   2.5 times the bytes asked for, where 1.45 are allowed (j = k = l = 32). All values are right.
// want: write down the addresses that threads 0, 1 and 2 of a warp read from N. How far apart are they?
#include "rect_tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH + 1];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH + 1];  // the spare column: no bank conflicts

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int first_row = blockIdx.y * TILE_WIDTH;
  const int first_col = blockIdx.x * TILE_WIDTH;

  const int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    // M is walked along its rows, N along its columns.
    const int m_row = first_row + ty;
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + tx;
    const int n_col = first_col + ty;

    Mds[ty][tx] = m_row < j && m_col < k ? M[m_row * k + m_col] : 0.0f;
    Nds[tx][ty] = n_row < k && n_col < l ? N[n_row * l + n_col] : 0.0f;
    __syncthreads();

    for (int i = 0; i < TILE_WIDTH; ++i) {
      sum += Mds[ty][i] * Nds[i][tx];
    }
    __syncthreads();
  }

  if (first_row + ty < j && first_col + tx < l) {
    P[(first_row + ty) * l + first_col + tx] = sum;
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  const int across = (l + TILE_WIDTH - 1) / TILE_WIDTH;
  const int down = (j + TILE_WIDTH - 1) / TILE_WIDTH;
  if (across * down == 0) return;
  rect_tiled_matmul_kernel<<<dim3(across, down), dim3(TILE_WIDTH, TILE_WIDTH)>>>(M, N, P, j, k, l);
}
