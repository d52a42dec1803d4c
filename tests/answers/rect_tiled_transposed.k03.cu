// SPDX-License-Identifier: Apache-2.0
// mistake: a thread computes two rows, 16 apart, and stores both where the first one exists: where the second does not, it
//   writes past the end of P.
// want: With j = 17: which second row has the thread with ty = 1? Does P have it?
#include "rect_tiled_transposed.h"

#define TILE_WIDTH 16
#define TALL (2 * TILE_WIDTH)

// A block computes 32 x 16 elements of P, each thread two of them: less traffic for N.
__global__ void rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TALL];  // lies as in Mt
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int top = blockIdx.y * TALL;
  const int row = top + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;

  const int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;

  float upper = 0.0f;
  float lower = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int i0 = phase * TILE_WIDTH + ty;
    const int r1 = top + tx;
    const int r2 = r1 + TILE_WIDTH;
    Mds[ty][tx] = (i0 < k && r1 < j) ? Mt[i0 * j + r1] : 0.0f;
    Mds[ty][tx + TILE_WIDTH] = (i0 < k && r2 < j) ? Mt[i0 * j + r2] : 0.0f;
    Nds[ty][tx] = (i0 < k && col < l) ? N[i0 * l + col] : 0.0f;
    __syncthreads();

    for (int i = 0; i < TILE_WIDTH; ++i) {
      const float n = Nds[i][tx];
      upper += Mds[i][ty] * n;
      lower += Mds[i][ty + TILE_WIDTH] * n;
    }
    __syncthreads();
  }

  if (row < j && col < l) {
    P[row * l + col] = upper;
    P[(row + TILE_WIDTH) * l + col] = lower;
  }
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((l + TILE_WIDTH - 1) / TILE_WIDTH, (j + TALL - 1) / TALL);
  rect_tiled_transposed_kernel<<<grid, block>>>(Mt, N, P, j, k, l);
}
