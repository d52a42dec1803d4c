// SPDX-License-Identifier: Apache-2.0
// mistake: two: a block is 32 wide and 8 high, but the number of blocks downwards is counted with 32, so that only the
//   first 8 * ceil(j / 32) rows are computed (all of them where j is at most 8). And nothing is done for j or l = 0: a
//   grid with a side of 0 is refused.
// want: How many rows does one block cover, and how many do all blocks cover with j = 32? (And: what is the grid where j
//   is 0, and does CUDA take such a launch?)
#include "rect_matmul.h"

const int BLOCK_X = 32;  // a whole warp in x
const int BLOCK_Y = 8;

static int div_up(int a, int b) { return (a + b - 1) / b; }

__global__ void rectMul(const float* __restrict__ M, const float* __restrict__ N, float* __restrict__ P, int j, int k,
                        int l) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= l || row >= j) {
    return;
  }

  float value = 0.0f;
  for (int i = 0; i < k; i++) {
    value += M[row * k + i] * N[i * l + col];
  }
  P[row * l + col] = value;
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  dim3 block(BLOCK_X, BLOCK_Y);
  dim3 grid(div_up(l, BLOCK_X), div_up(j, BLOCK_X));
  rectMul<<<grid, block>>>(M, N, P, j, k, l);
}
