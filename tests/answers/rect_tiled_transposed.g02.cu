// SPDX-License-Identifier: Apache-2.0
// mistake: each thread loads four rows of both tiles, 8 apart, but only the first of them is compared with k. In a
//   last phase with fewer than 32 rows, rows behind the end of Mt and N are read and their products are added.
// want: Take k = 33 and the second phase: which four rows of N does a thread with ty = 0 read, and which of them did
//   you compare with k?

#include "rect_tiled_transposed.h"

#define TILE 32
#define STEP 8
#define COUNT (TILE / STEP)

__global__ void rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE][TILE];  // [i][row]
  __shared__ float Nds[TILE][TILE];  // [i][col]

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int top = blockIdx.y * TILE;
  const int col = blockIdx.x * TILE + tx;
  const int m_row = top + tx;

  float sum[COUNT] = {};

  for (int first = 0; first < k; first += TILE) {
    const int i0 = first + ty;
    const bool load_m = i0 < k && m_row < j;
    const bool load_n = i0 < k && col < l;
    for (int r = 0; r < COUNT; ++r) {
      const int i = i0 + r * STEP;
      Mds[ty + r * STEP][tx] = load_m ? Mt[i * j + m_row] : 0.0f;
      Nds[ty + r * STEP][tx] = load_n ? N[i * l + col] : 0.0f;
    }
    __syncthreads();

    for (int i = 0; i < TILE; ++i) {
      const float n = Nds[i][tx];
      for (int r = 0; r < COUNT; ++r) {
        sum[r] += Mds[i][ty + r * STEP] * n;
      }
    }
    __syncthreads();
  }

  for (int r = 0; r < COUNT; ++r) {
    const int row = top + ty + r * STEP;
    if (row < j && col < l) {
      P[row * l + col] = sum[r];
    }
  }
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 block(TILE, STEP);
  const dim3 grid((l + TILE - 1) / TILE, (j + TILE - 1) / TILE);
  rect_tiled_transposed_kernel<<<grid, block>>>(Mt, N, P, j, k, l);
}
