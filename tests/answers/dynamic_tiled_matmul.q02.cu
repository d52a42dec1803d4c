// SPDX-License-Identifier: Apache-2.0
// mistake: the elements for the next phase are fetched into registers m and n, which keep their old value where nothing
//   exists: in the last phase both tiles then hold elements of the phase before, and their products are added again.
//   width = 3, tile = 2: in phase 1 the threads with x = 1 still hold M[row][1], those with y = 1 still N[1][col], so that
//   P[0][0] gets M[0][1] * N[1][0] twice. Widths that tile divides, or below tile, come out right.
// want: width = 3 and tile = 2, thread (1, 1) of block (0, 0): which values are in m and n when phase 1 begins, and where
//   do they come from?
#include "dynamic_tiled_matmul.h"

__global__ void matmul_prefetch(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float buf[];

  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * tile + y;
  const int col = blockIdx.x * tile + x;

  float* m_line = buf + y * tile;         // my row of M's tile
  float* n_line = buf + tile * tile + x;  // my column of N's tile, steps of tile

  int m_col = x;
  int n_row = y;

  // Fetch the first elements ahead.
  float m = 0.0f, n = 0.0f;
  if (row < width && m_col < width) m = M[row * width + m_col];
  if (n_row < width && col < width) n = N[n_row * width + col];

  float sum = 0.0f;
  const int phases = (width + tile - 1) / tile;
  for (int p = 0; p < phases; ++p) {
    m_line[x] = m;
    n_line[y * tile] = n;
    __syncthreads();

    // While we compute with these tiles, the next elements are under way.
    m_col += tile;
    n_row += tile;
    if (row < width && m_col < width) m = M[row * width + m_col];
    if (n_row < width && col < width) n = N[n_row * width + col];

    const float* b = n_line;
    for (int k = 0; k < tile; ++k, b += tile) sum = fmaf(m_line[k], *b, sum);
    __syncthreads();
  }

  if (row < width && col < width) P[row * width + col] = sum;
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const unsigned blocks = (width - 1) / tile + 1;
  const size_t shared = sizeof(float) * 2 * tile * tile;
  matmul_prefetch<<<dim3(blocks, blocks), dim3(tile, tile), shared>>>(M, N, P, width, tile);
}
