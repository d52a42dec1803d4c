// SPDX-License-Identifier: Apache-2.0
// mistake: A block computes 64 rows, but block y begins at row 16 * y: the blocks overlap, and the last rows
//   are left out. j = 100: two blocks from top to bottom, rows 0 to 63 and 16 to 79, and rows 80 to 99 are
//   never stored. All j up to 80 give right values (some rows twice).
// want: Which rows does block y = 1 compute, the first and the last? Where does block 0 end, and which row is
//   the last of all for j = 100?
#include "rect_tiled_matmul.h"

#define TILE 16
#define PER_THREAD 4  // rows of P for each thread

// block: 16 x 16 threads, 64 rows and 16 columns of P
__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE * PER_THREAD][TILE];
  __shared__ float Nds[TILE][TILE];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;  // and row + 16, + 32, + 48
  const int col = blockIdx.x * TILE + tx;

  float sum[PER_THREAD] = {};
  for (int base = 0; base < k; base += TILE) {
    for (int r = 0; r < PER_THREAD; ++r) {
      const int m_row = row + r * TILE;
      Mds[ty + r * TILE][tx] = m_row < j && base + tx < k ? M[m_row * k + base + tx] : 0.0f;
    }
    Nds[ty][tx] = base + ty < k && col < l ? N[(base + ty) * l + col] : 0.0f;
    __syncthreads();

    for (int i = 0; i < TILE; ++i) {
      const float n = Nds[i][tx];
      for (int r = 0; r < PER_THREAD; ++r) sum[r] += Mds[ty + r * TILE][i] * n;
    }
    __syncthreads();
  }

  if (col >= l) return;
  for (int r = 0; r < PER_THREAD; ++r) {
    const int p_row = row + r * TILE;
    if (p_row < j) P[p_row * l + col] = sum[r];
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const int rows = TILE * PER_THREAD;
  const dim3 grid((l + TILE - 1) / TILE, (j + rows - 1) / rows);
  rect_tiled_matmul_kernel<<<grid, dim3(TILE, TILE)>>>(M, N, P, j, k, l);
}
