// SPDX-License-Identifier: Apache-2.0
// mistake: a thread adds up the tile's rows 4 * ty to 4 * ty + 3, but stores the sums to the rows ty, ty + 8, ty + 16,
//   ty + 24, which it loaded. Thread ty = 0 stores tile row 1's sum to row 8, and thread ty = 2 tile row 8's sum to
//   row 2: the rows of P are mixed up within each tile of 32. With j = 2, k = l = 1, M = (1, 2), N = (1): row 1 is
//   thread ty = 1's, sum[0], computed from tile row 4, which holds zeros: P = (1, 0), not (1, 2). Only j = 1 is right.
//   The loads, either order alone, and the checks are right.
// want: A thread owns four rows of the tile. Say which ones for ty = 0: while it loads, while it adds up, and while it
//   stores. Which two of these have to be the same?
#include "rect_tiled_matmul.h"

#define TILE 32
#define STEP 8
#define PER_THREAD (TILE / STEP)

// 32 x 8 threads for a tile of 32 x 32: four rows each.
__global__ void __launch_bounds__(TILE* STEP)
    rect_tiled_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Ms[TILE][TILE];
  __shared__ float Ns[TILE][TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int top = blockIdx.y * TILE;
  const int col = blockIdx.x * TILE + tx;

  float sum[PER_THREAD] = {0.0f, 0.0f, 0.0f, 0.0f};

  for (int k0 = 0; k0 < k; k0 += TILE) {
    for (int y = ty; y < TILE; y += STEP) {
      Ms[y][tx] = top + y < j && k0 + tx < k ? M[(top + y) * k + k0 + tx] : 0.0f;
      Ns[y][tx] = k0 + y < k && col < l ? N[(k0 + y) * l + col] : 0.0f;
    }
    __syncthreads();

    for (int i = 0; i < TILE; ++i) {
      const float n = Ns[i][tx];
      for (int r = 0; r < PER_THREAD; ++r) sum[r] += Ms[PER_THREAD * ty + r][i] * n;
    }
    __syncthreads();
  }

  for (int r = 0; r < PER_THREAD; ++r) {
    const int row = top + ty + STEP * r;
    if (row < j && col < l) P[row * l + col] = sum[r];
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j <= 0 || l <= 0) return;
  const dim3 grid((l + TILE - 1) / TILE, (j + TILE - 1) / TILE);
  rect_tiled_kernel<<<grid, dim3(TILE, STEP)>>>(M, N, P, j, k, l);
}
