// SPDX-License-Identifier: Apache-2.0
// mistake: a thread's four columns are neighbours (4 * tx + c), so that in each load of N and each store of P the
//   lanes of a warp are 16 bytes apart and touch 16 sectors instead of 4. At width 128 N alone takes 4 * 8192 = 32768
//   sectors, and 20480 are allowed for all. The values are right, and four tiles of N at a time are allowed.
// want: In one step of the loop that loads N: which addresses do lanes 0, 1 and 2 of a warp ask for?
#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define COARSE_FACTOR 4
#define SPAN (TILE_WIDTH * COARSE_FACTOR)

__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][SPAN];  // all four tiles of N side by side

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int mine = tx * COARSE_FACTOR;  // the first of this thread's columns, within the block's
  const int first_col = blockIdx.x * SPAN + mine;

  float sum[COARSE_FACTOR] = {};

  for (int begin = 0; begin < width; begin += TILE_WIDTH) {
    Mds[ty][tx] = row < width && begin + tx < width ? M[row * width + begin + tx] : 0.0f;
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      const bool exists = begin + ty < width && first_col + c < width;
      Nds[ty][mine + c] = exists ? N[(begin + ty) * width + first_col + c] : 0.0f;
    }
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      const float m = Mds[ty][k];
#pragma unroll
      for (int c = 0; c < COARSE_FACTOR; ++c) {
        sum[c] += m * Nds[k][mine + c];
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int c = 0; c < COARSE_FACTOR; ++c) {
    if (row < width && first_col + c < width) {
      P[row * width + first_col + c] = sum[c];
    }
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((width + SPAN - 1) / SPAN, (width + TILE_WIDTH - 1) / TILE_WIDTH);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
