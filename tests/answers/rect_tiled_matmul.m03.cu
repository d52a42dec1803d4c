// SPDX-License-Identifier: Apache-2.0
// mistake: 1. the grid has j's tiles in x and l's in y, while the kernel takes the row from y: where they differ, parts
//   of P stay unwritten. 2. k = 0 returns as well, though P then has elements, all of them 0.
// want: In the kernel, y gives the row: which side of P has to be covered by the grid's y? (Then: with j = l = 4 and
//   k = 0, how many elements has P, and what are they?)
#include "rect_tiled_matmul.h"

#define W 32

__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float tm[W][W];
  __shared__ float tn[W][W];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * W + ty;
  const int col = blockIdx.x * W + tx;

  float acc = 0.0f;
  const int phases = (k + W - 1) / W;
  for (int ph = 0; ph < phases; ++ph) {
    const int mc = ph * W + tx;
    const int nr = ph * W + ty;

    tm[ty][tx] = 0.0f;
    tn[ty][tx] = 0.0f;
    if (row < j && mc < k) tm[ty][tx] = M[row * k + mc];
    if (nr < k && col < l) tn[ty][tx] = N[nr * l + col];
    __syncthreads();

    for (int i = 0; i < W; ++i) acc += tm[ty][i] * tn[i][tx];
    __syncthreads();
  }

  if (row < j && col < l) P[row * l + col] = acc;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  // nothing to do
  if (j == 0 || k == 0 || l == 0) return;

  const int tiles_j = (j + W - 1) / W;
  const int tiles_l = (l + W - 1) / W;
  const dim3 block(W, W);
  const dim3 grid(tiles_j, tiles_l);
  rect_tiled_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
