// SPDX-License-Identifier: Apache-2.0
// mistake: M's tile has rows of 33 floats (one is padding), and the pointer that walks down it steps by 32. In step i
//   it reads word 32 * i + ty, which is [i][ty - i] where ty >= i and [i - 1][33 + ty - i] otherwise, so also the
//   padding that nobody writes: with j = 1, k = 2, l = 1, the second product takes word 32, [0][32], instead of
//   [1][0]. Right for k = 0 only, and with k = 1 where zero times what lies in the padding is zero. The block's part
//   of P, 32 rows x 8 columns, and the loads of both tiles are right.
// want: Draw the first two rows of M's tile word by word. At which word does row 1 begin, and to which word does m
//   point after its first step?
#include "rect_tiled_transposed.h"

constexpr int ROWS = 32;   // of P in a block
constexpr int COLS = 8;    // one sector
constexpr int DEPTH = 16;  // of a phase

__global__ void tall_blocks(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float m_tile[DEPTH][ROWS + 1];
  __shared__ float n_tile[DEPTH][COLS];

  const int tx = threadIdx.x;  // 0 to 7
  const int ty = threadIdx.y;  // 0 to 31
  const int tid = ty * COLS + tx;
  const int row0 = blockIdx.y * ROWS;
  const int col0 = blockIdx.x * COLS;

  float sum = 0.0f;
  for (int i0 = 0; i0 < k; i0 += DEPTH) {
    // 16 x 32 elements of Mt: two for each thread, a warp takes a row
    for (int e = tid; e < DEPTH * ROWS; e += ROWS * COLS) {
      const int i = e / ROWS;
      const int r = e % ROWS;
      m_tile[i][r] = i0 + i < k && row0 + r < j ? Mt[(i0 + i) * j + row0 + r] : 0.0f;
    }
    // 16 x 8 elements of N: the first half of the threads
    if (tid < DEPTH * COLS) {
      const int i = tid / COLS;
      const int c = tid % COLS;
      n_tile[i][c] = i0 + i < k && col0 + c < l ? N[(i0 + i) * l + col0 + c] : 0.0f;
    }
    __syncthreads();

    const float* m = &m_tile[0][0] + ty;
    const float* n = &n_tile[0][0] + tx;
    for (int i = 0; i < DEPTH; ++i) {
      sum += *m * *n;
      m += ROWS;
      n += COLS;
    }
    __syncthreads();
  }

  if (row0 + ty < j && col0 + tx < l) P[(row0 + ty) * l + col0 + tx] = sum;
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 block(COLS, ROWS);
  const dim3 grid((l + COLS - 1) / COLS, (j + ROWS - 1) / ROWS);
  tall_blocks<<<grid, block>>>(Mt, N, P, j, k, l);
}
