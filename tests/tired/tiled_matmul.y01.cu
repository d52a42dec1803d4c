// SPDX-License-Identifier: Apache-2.0
// mistake: In the last phase only width % TILE products are added, which is 0 where TILE divides width: that phase
//   is lost. Case: width 16: one phase, depth 0, all of P is 0. width 32: only the first 16 products count. Other
//   widths are right (the clamped loads do no harm: what they bring is never added or never stored).
// want: How many columns of M does the last phase hold for width 17, and how many for width 32? What does your expression say?
#include "tiled_matmul.h"

constexpr int TILE = 16;

// 256 threads in a row; a thread beyond the edge just repeats the load of its neighbour at the edge.
__global__ void matmul(const float* M, const float* N, float* P, int width) {
  __shared__ float a[TILE * TILE];
  __shared__ float b[TILE * TILE];

  const int t = threadIdx.x;
  const int ty = t / TILE, tx = t % TILE;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;
  const int edge = width - 1;
  const float* my_row = M + min(row, edge) * width;
  const float* my_col = N + min(col, edge);

  const int phases = (width + TILE - 1) / TILE;
  float sum = 0;
  for (int phase = 0; phase < phases; phase++) {
    a[t] = my_row[min(phase * TILE + tx, edge)];
    b[t] = my_col[min(phase * TILE + ty, edge) * width];
    __syncthreads();

    // the last tile is not full
    const int depth = phase == phases - 1 ? width % TILE : TILE;
    for (int k = 0; k < depth; k++) sum += a[ty * TILE + k] * b[k * TILE + tx];
    __syncthreads();
  }
  if (row <= edge && col <= edge) P[row * width + col] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width - 1) / TILE + 1;
  matmul<<<dim3(tiles, tiles), TILE * TILE>>>(M, N, P, width);
}
