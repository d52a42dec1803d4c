// SPDX-License-Identifier: Apache-2.0
// mistake: Mt's load reads column by * 32 + tx, but the check asks whether by * 32 + s is below j (s walks along k): at
//   the lower edge of P needed elements become zeros, and Mt is read past the end of its rows.
// want: You read Mt[i * j + m_row] with m_row from tx. Which variable stands in the check against j?
#include "rect_tiled_transposed.h"

#define TILE 32
#define STEP 8  // the block is 32 x 8, so each thread has 4 places of a tile

__global__ void rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float tileM[TILE][TILE];  // a piece of Mt as it is: [i][row]
  __shared__ float tileN[TILE][TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int first_row = blockIdx.y * TILE;
  const int col = blockIdx.x * TILE + tx;

  float acc[TILE / STEP] = {};

  const int phases = (k + TILE - 1) / TILE;
  for (int ph = 0; ph < phases; ++ph) {
    for (int s = ty; s < TILE; s += STEP) {
      const int i = ph * TILE + s;
      const int m_row = first_row + tx;
      tileM[s][tx] = (i < k && first_row + s < j) ? Mt[i * j + m_row] : 0.0f;
      tileN[s][tx] = (i < k && col < l) ? N[i * l + col] : 0.0f;
    }
    __syncthreads();

    for (int i = 0; i < TILE; ++i) {
      for (int q = 0; q < TILE / STEP; ++q) {
        acc[q] += tileM[i][ty + q * STEP] * tileN[i][tx];
      }
    }
    __syncthreads();
  }

  for (int q = 0; q < TILE / STEP; ++q) {
    const int row = first_row + ty + q * STEP;
    if (row < j && col < l) {
      P[row * l + col] = acc[q];
    }
  }
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;

  const dim3 block(TILE, STEP);
  const dim3 grid((l + TILE - 1) / TILE, (j + TILE - 1) / TILE);
  rect_tiled_transposed_kernel<<<grid, block>>>(Mt, N, P, j, k, l);
}
