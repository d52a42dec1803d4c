// SPDX-License-Identifier: Apache-2.0
// mistake: a race on M's tile. N's tiles alternate between two buffers, so that one barrier a step is enough for them; M's
//   has one buffer and is stored anew in each fourth step, with no barrier after the step before, in which slower
//   warps still read the old one. width 64: the store for phase 1 (step 4) against the products of step 3. Right at
//   widths up to 32, where there is only one phase.
// want: in step 4 a warp stores the next tile of M. What may another warp still be reading, and which barrier lies
//   between the two?
#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define COARSE_FACTOR 4

__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[2][TILE_WIDTH][TILE_WIDTH];  // while one is read, the other is filled

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int first_col = blockIdx.x * TILE_WIDTH * COARSE_FACTOR + tx;
  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sums[COARSE_FACTOR] = {0.0f, 0.0f, 0.0f, 0.0f};

  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    // the same for all four
    Mds[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;

#pragma unroll
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      const int col = first_col + c * TILE_WIDTH;
      float(*now)[TILE_WIDTH] = Nds[c & 1];
      now[ty][tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
      __syncthreads();  // one is enough: the next store goes to the other buffer

      for (int k = 0; k < TILE_WIDTH; ++k) {
        sums[c] += Mds[ty][k] * now[k][tx];
      }
    }
  }

#pragma unroll
  for (int c = 0; c < COARSE_FACTOR; ++c) {
    const int col = first_col + c * TILE_WIDTH;
    if (row < width && col < width) {
      P[row * width + col] = sums[c];
    }
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int span = TILE_WIDTH * COARSE_FACTOR;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((width + span - 1) / span, (width + TILE_WIDTH - 1) / TILE_WIDTH);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
