// SPDX-License-Identifier: Apache-2.0
// mistake: a block's tile of P is 16 rows high and 32 columns wide, but the number of blocks from top to bottom is
//   counted with 32. Rows of P are not stored: j = 17 (k = l = 1): one block row, row 16 missing; j = 32: rows 16 to
//   31 missing. Right for j up to 16.
// want: How many rows of P does one block store? How many block rows are there for j = 32, and which rows of P do
//   they cover?
#include "rect_tiled_matmul.h"

constexpr int TH = 16;  // height of a tile of P
constexpr int TW = 32;  // its width, and the depth of a phase

template <int H, int W>
__global__ void rect_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  static_assert(W == 2 * H);
  __shared__ float Mds[H][W];
  __shared__ float Nds[W][W];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * H + ty;
  const int col = blockIdx.x * W + tx;

  float sum = 0.0f;
  for (int start = 0; start < k; start += W) {
    const int m_col = start + tx;
    Mds[ty][tx] = row < j && m_col < k ? M[row * k + m_col] : 0.0f;
    for (int r = ty; r < W; r += H) {  // two rows of N's tile each
      const int n_row = start + r;
      Nds[r][tx] = n_row < k && col < l ? N[n_row * l + col] : 0.0f;
    }
    __syncthreads();
    for (int i = 0; i < W; ++i) sum += Mds[ty][i] * Nds[i][tx];
    __syncthreads();
  }

  if (row < j && col < l) P[row * l + col] = sum;
}

static int tiles_for(int side) { return (side + TW - 1) / TW; }

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 block(TW, TH);
  const dim3 grid(tiles_for(l), tiles_for(j));
  rect_kernel<TH, TW><<<grid, block>>>(M, N, P, j, k, l);
}
