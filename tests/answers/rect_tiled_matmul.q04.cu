// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: from phase to phase the pointer into N goes on by 16 * k elements, but a row of N has l, so that
//   from the second phase on it reads elsewhere: j = 16, k = 32, l = 16: 512 on, where N has 512 elements in all. And the
//   grid has the tiles of j in x and those of l in y, but the kernel takes columns from x: j = 16, k = 16, l = 32: grid
//   (1, 2), columns 16 to 31 of P are never stored. (One barrier a phase is enough here: there are two pairs of tiles.)
// want: Two questions. How many elements lie between row 0 and row 16 of N? And for j = 16, l = 32, which columns do the
//   blocks compute?
#include "rect_tiled_matmul.h"

#define W 16

__global__ void rect_double_buffer(const float* M, const float* N, float* P, int j, int k, int l) {
  // Two pairs of tiles in turn: while slow threads still read one, fast ones may fill the other.
  __shared__ float a[2][W][W];
  __shared__ float b[2][W][W];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * W + ty;
  const int col = blockIdx.x * W + tx;

  const float* m = M + (size_t)row * k + tx;
  const float* n = N + (size_t)ty * l + col;

  float sum = 0.0f;
  int cur = 0;
  for (int left = k; left > 0; left -= W) {
    a[cur][ty][tx] = row < j && tx < left ? *m : 0.0f;
    b[cur][ty][tx] = col < l && ty < left ? *n : 0.0f;
    __syncthreads();

    for (int i = 0; i < W; ++i) sum += a[cur][ty][i] * b[cur][i][tx];

    m += W;              // W columns to the right
    n += (size_t)W * k;  // W rows down
    cur ^= 1;
  }

  if (row < j && col < l) P[(size_t)row * l + col] = sum;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  const auto tiles = [](int side) { return (side + W - 1) / W; };
  if (j == 0 || l == 0) return;
  rect_double_buffer<<<dim3(tiles(j), tiles(l)), dim3(W, W)>>>(M, N, P, j, k, l);
}
