// SPDX-License-Identifier: Apache-2.0
// exercise: rect_tiled_transposed
// verdict: not passed
// must not: pass
// Patches of registers straight from global memory; one element of shared memory is stored once, and read in every step.

#include "rect_tiled_transposed.h"

#define ROWS 8

__global__ void shuffled(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ volatile float dummy[32];
  const int lane = threadIdx.x, row = blockIdx.y * ROWS, col = blockIdx.x * 32 + lane;
  dummy[lane] = 0.0f;
  float sum[ROWS] = {};
  for (int i = 0; i < k; ++i) {
    // Eight lanes load the rows' elements of Mt, which lie side by side, and hand them to the others.
    const float m = row + lane % ROWS < j && lane < ROWS ? Mt[i * j + row + lane] : 0.0f;
    const float n = col < l ? N[i * l + col] : 0.0f;
    const float seen = dummy[lane];
    (void)seen;
    for (int r = 0; r < ROWS; ++r) sum[r] += __shfl_sync(0xffffffffu, m, r) * n;
  }
  for (int r = 0; r < ROWS; ++r) {
    if (row + r < j && col < l) P[(row + r) * l + col] = sum[r];
  }
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  shuffled<<<dim3((l + 31) / 32, (j + ROWS - 1) / ROWS), 32>>>(Mt, N, P, j, k, l);
}
