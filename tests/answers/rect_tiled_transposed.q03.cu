// SPDX-License-Identifier: Apache-2.0
// mistake: only N comes through a tile; Mt is read from global memory in the inner loop, 4 bytes for each product by each
//   thread, so that all loads together are above 2 x j x k x l bytes. j = k = l = 64: 4 * 64^3 for Mt and 0.5 * 64^3 for N,
//   where 2 * 64^3 are allowed. Values and coalescing are right (all threads of a warp read the same element of Mt).
// want: Count for one product: how many bytes does a thread load from global memory for its two factors, and how many does
//   the contract allow on average?
#include "rect_tiled_transposed.h"

#define COLS 32
#define ROWS 8

// A block: 8 rows and 32 columns of P; a warp has one row. So a warp wants one and the same element of Mt at a time: a
// single sector, which all its threads get at once. A tile is worth while for N only.
__global__ void mt_broadcast(const float* __restrict__ Mt, const float* __restrict__ N, float* __restrict__ P, int j, int k,
                             int l) {
  __shared__ float n_tile[COLS][COLS];

  const int lane = threadIdx.x;
  const int row = blockIdx.y * ROWS + threadIdx.y;
  const int col = blockIdx.x * COLS + lane;

  float sum = 0.0f;
  for (int base = 0; base < k; base += COLS) {
    for (int r = threadIdx.y; r < COLS; r += ROWS) {
      n_tile[r][lane] = base + r < k && col < l ? N[(base + r) * l + col] : 0.0f;
    }
    __syncthreads();

    if (row < j) {
      const int end = min(COLS, k - base);
      const float* m = Mt + (size_t)base * j + row;
      for (int i = 0; i < end; ++i) {
        sum += __ldg(m) * n_tile[i][lane];
        m += j;
      }
    }
    __syncthreads();
  }

  if (row < j && col < l) P[row * l + col] = sum;
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 grid((l + COLS - 1) / COLS, (j + ROWS - 1) / ROWS);
  mt_broadcast<<<grid, dim3(COLS, ROWS)>>>(Mt, N, P, j, k, l);
}
