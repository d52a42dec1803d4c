// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: four elements at once are loaded from Mt and from N where 4 divides j, but N's rows have l
//   elements: j = k = 16, l = 18: row 1 of N begins at byte 72, and a float4 there is misaligned. And the inner loop
//   does four products in each step, also past `count`, where nothing was loaded in this phase: k = 5 adds rows 5, 6
//   and 7 of the tiles, which nobody wrote. Without that the missing zeros would do no harm: the loop would end in
//   time, and rows >= j or columns >= l reach no sum that is stored.
// want: At which byte does row 1 of N begin for l = 18, and what does a float4 ask of its address? (Then: which rows
//   of the tiles does the inner loop touch for k = 5?)
#include "rect_tiled_transposed.h"

#define TILE_WIDTH 16

__global__ void rect_tiled_transposed_vec(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ alignas(16) float Mds[TILE_WIDTH][TILE_WIDTH];  // [i][row]
  __shared__ alignas(16) float Nds[TILE_WIDTH][TILE_WIDTH];  // [i][col]

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int t = ty * TILE_WIDTH + tx;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;
  const bool vec = j % 4 == 0;  // rows can be read in fours

  float sum = 0.0f;
  for (int start = 0; start < k; start += TILE_WIDTH) {
    if (vec) {
      // threads 0 to 63 bring M's tile, 64 to 127 N's, four elements each
      const int u = t % 64;
      const int i = u / 4;
      const int c = u % 4 * 4;
      if (t < 64) {
        const int m_row = blockIdx.y * TILE_WIDTH + c;
        if (start + i < k && m_row < j) {
          *reinterpret_cast<float4*>(&Mds[i][c]) = *reinterpret_cast<const float4*>(&Mt[(start + i) * j + m_row]);
        }
      } else if (t < 128) {
        const int n_col = blockIdx.x * TILE_WIDTH + c;
        if (start + i < k && n_col < l) {
          *reinterpret_cast<float4*>(&Nds[i][c]) = *reinterpret_cast<const float4*>(&N[(start + i) * l + n_col]);
        }
      }
    } else {
      const int m_row = blockIdx.y * TILE_WIDTH + tx;
      if (start + ty < k && m_row < j) Mds[ty][tx] = Mt[(start + ty) * j + m_row];
      if (start + ty < k && col < l) Nds[ty][tx] = N[(start + ty) * l + col];
    }
    __syncthreads();

    const int count = min(TILE_WIDTH, k - start);
    for (int i = 0; i < count; i += 4) {
      sum += Mds[i][ty] * Nds[i][tx];
      sum += Mds[i + 1][ty] * Nds[i + 1][tx];
      sum += Mds[i + 2][ty] * Nds[i + 2][tx];
      sum += Mds[i + 3][ty] * Nds[i + 3][tx];
    }
    __syncthreads();
  }

  if (row < j && col < l) P[row * l + col] = sum;
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((l + TILE_WIDTH - 1) / TILE_WIDTH, (j + TILE_WIDTH - 1) / TILE_WIDTH);
  rect_tiled_transposed_vec<<<grid, block>>>(Mt, N, P, j, k, l);
}
