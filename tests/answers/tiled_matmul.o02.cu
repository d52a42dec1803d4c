// SPDX-License-Identifier: Apache-2.0
// mistake: the last phase adds only width % TILE products. Where TILE divides width that is 0 instead of TILE, and the
//   whole last phase is lost: at width 32 (TILE 32) all of P is 0, at width 64 the products 32 to 63 are missing.
//   Every width that is no multiple of 32 is right.
// want: How many steps does the last phase take at width 40, and how many at width 64? Write down `last` for both.
#include "tiled_matmul.h"

#define TILE 32

__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float mTile[TILE][TILE];
  __shared__ float nTile[TILE][TILE];

  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int r = blockIdx.y * TILE + y;
  const int c = blockIdx.x * TILE + x;

  const int phases = (width - 1) / TILE + 1;
  const int last = width % TILE;  // what is left over for the last phase

  float sum = 0.0f;
  for (int phase = 0; phase < phases; phase++) {
    int mc = phase * TILE + x;
    int nr = phase * TILE + y;

    float mv = 0.0f, nv = 0.0f;
    if (r < width && mc < width) mv = M[r * width + mc];
    if (c < width && nr < width) nv = N[nr * width + c];
    mTile[y][x] = mv;
    nTile[y][x] = nv;
    __syncthreads();

    // no need to multiply with the zeros behind the edge
    const int steps = phase < phases - 1 ? TILE : last;
    for (int k = 0; k < steps; k++) {
      sum += mTile[y][k] * nTile[k][x];
    }
    __syncthreads();
  }

  if (r >= width || c >= width) return;
  P[r * width + c] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int n = (width - 1) / TILE + 1;
  tiled_matmul_kernel<<<dim3(n, n), dim3(TILE, TILE)>>>(M, N, P, width);
}
