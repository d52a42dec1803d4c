// SPDX-License-Identifier: Apache-2.0
// mistake: P is stored transposed, as an l x j matrix: element (r, c) goes to P[c * j + r] instead of P[r * l + c]. With
//   j = 2, k = 1, l = 3, P[0][1] goes to index 2, where P[0][2] belongs. All indices are in range, and each is written
//   once; right only where j or l is 1. Tiles and loads are right.
// want: Which of the three matrices does the contract store transposed? With j = 2 and l = 3, at which index is P[0][1]?
#include "rect_tiled_transposed.h"

constexpr int TILE = 32;
constexpr int ROWS = 8;
constexpr int PER_THREAD = TILE / ROWS;

__global__ void kernel_t(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float a[TILE][TILE];
  __shared__ float b[TILE][TILE];

  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int r0 = blockIdx.y * TILE;
  const int c = blockIdx.x * TILE + x;

  float acc[PER_THREAD] = {0.0f};

  for (int base = 0; base < k; base += TILE) {
    for (int s = y; s < TILE; s += ROWS) {
      const int i = base + s;
      a[s][x] = i < k && r0 + x < j ? Mt[i * j + (r0 + x)] : 0.0f;
      b[s][x] = i < k && c < l ? N[i * l + c] : 0.0f;
    }
    __syncthreads();

    for (int i = 0; i < TILE; ++i) {
      const float bb = b[i][x];
      for (int q = 0; q < PER_THREAD; ++q) acc[q] += a[i][y + q * ROWS] * bb;
    }
    __syncthreads();
  }

  for (int q = 0; q < PER_THREAD; ++q) {
    const int r = r0 + y + q * ROWS;
    if (r < j && c < l) P[c * j + r] = acc[q];  // the same order as Mt
  }
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 threads(TILE, ROWS);
  const dim3 blocks((l + TILE - 1) / TILE, (j + TILE - 1) / TILE);
  kernel_t<<<blocks, threads>>>(Mt, N, P, j, k, l);
}
