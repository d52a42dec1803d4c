// SPDX-License-Identifier: Apache-2.0
// mistake: `acc` is set to 0 once before the loop over tile columns, not once per tile of P. At most four blocks stand
//   side by side, so from 5 tiles on (width 65 and more) a block computes a second tile, and adds it to the first
//   one's sum: at width 65, P[0][64] comes out as P[0][0] + P[0][64]. Widths up to 64 are right. The grid that is
//   smaller than P, the loop with gridDim.x, and the barriers in it are right.
// want: A block here computes several tiles of P, one after another. What does acc hold when the block begins its
//   second tile? Try width 80, and compare P[0][64] with what the block computed before.
#include "tiled_matmul.h"

constexpr int T = 16;
constexpr int kSideBySide = 4;  // blocks in a row of the grid; each walks over every 4th tile column

__global__ void matmul_walking(const float* M, const float* N, float* P, int width) {
  __shared__ float a[T][T];
  __shared__ float b[T][T];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int tiles = (width + T - 1) / T;
  const int row = blockIdx.y * T + ty;

  float acc = 0.0f;
  for (int bx = blockIdx.x; bx < tiles; bx += gridDim.x) {
    const int col = bx * T + tx;
    for (int p = 0; p < tiles; ++p) {
      const int mc = p * T + tx;
      const int nr = p * T + ty;
      a[ty][tx] = (row < width && mc < width) ? M[row * width + mc] : 0.0f;
      b[ty][tx] = (nr < width && col < width) ? N[nr * width + col] : 0.0f;
      __syncthreads();
#pragma unroll
      for (int i = 0; i < T; ++i) acc += a[ty][i] * b[i][tx];
      __syncthreads();
    }
    if (row < width && col < width) P[row * width + col] = acc;
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + T - 1) / T;
  const dim3 grid(tiles < kSideBySide ? tiles : kSideBySide, tiles);
  matmul_walking<<<grid, dim3(T, T)>>>(M, N, P, width);
}
