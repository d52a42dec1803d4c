// SPDX-License-Identifier: Apache-2.0
// mistake: the index of Mt's load was turned (tx goes along the row), but its check still asks `row`, which
//   belongs to ty: at the lower edge of P threads with a valid element put a 0 into the tile, others wrap around.
// want: which variable stands in the address and which in the check of the load of Mt? Look at j = 20, second
//   row of blocks: which threads load row 16, i = 5?
#include "rect_tiled_transposed.h"

#define TILE_WIDTH 16

// P = M x N: Mt is k x j (M[row][i] is Mt[i * j + row]), N is k x l, P is j x l, row by row.
__global__ void rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  // One column more, because M's tile is written down a column now.
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH + 1];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P: below j
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N: below l

  const int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int n_row = phase * TILE_WIDTH + ty;

    // This thread loads M[m_row][m_i], and turns it on the way into the tile.
    const int m_i = phase * TILE_WIDTH + ty;
    const int m_row = blockIdx.y * TILE_WIDTH + tx;
    Mds[tx][ty] = m_i < k && row < j ? Mt[m_i * j + m_row] : 0.0f;
    Nds[ty][tx] = n_row < k && col < l ? N[n_row * l + col] : 0.0f;
    __syncthreads();

    for (int i = 0; i < TILE_WIDTH; ++i) {
      sum += Mds[ty][i] * Nds[i][tx];
    }
    __syncthreads();
  }

  if (row < j && col < l) {
    P[row * l + col] = sum;
  }
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((l + TILE_WIDTH - 1) / TILE_WIDTH, (j + TILE_WIDTH - 1) / TILE_WIDTH);
  rect_tiled_transposed_kernel<<<grid, block>>>(Mt, N, P, j, k, l);
}
