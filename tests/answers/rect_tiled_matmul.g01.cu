// SPDX-License-Identifier: Apache-2.0
// mistake: the number of phases is counted with the tile's width along l (16) although a phase walks 8 along k: only
//   about half of the phases run, and for k > 8 products are missing from every sum.
// want: Your tiles have three sizes. How far along k does one phase bring you, and how many phases does k = 32
//   need, by hand and by your formula?

#include "rect_tiled_matmul.h"

#define TILE_J 32  // rows of P in a block
#define TILE_L 16  // columns of P in a block
#define TILE_K 8   // how deep M's and N's tiles are
#define THREADS 256

// 256 threads, each with two elements of P, 16 rows apart.
__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_J][TILE_K];
  __shared__ float Nds[TILE_K][TILE_L];

  const int t = threadIdx.x;
  const int tx = t % TILE_L;
  const int ty = t / TILE_L;
  const int row = blockIdx.y * TILE_J + ty;
  const int col = blockIdx.x * TILE_L + tx;

  // M's tile has as many elements as there are threads, N's has half of that.
  const int my = t / TILE_K;
  const int mx = t % TILE_K;
  const int m_row = blockIdx.y * TILE_J + my;

  const int phases = (k + TILE_L - 1) / TILE_L;

  float upper = 0.0f;
  float lower = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_K + mx;
    const int n_row = phase * TILE_K + ty;

    Mds[my][mx] = m_row < j && m_col < k ? M[m_row * k + m_col] : 0.0f;
    if (ty < TILE_K) {
      Nds[ty][tx] = n_row < k && col < l ? N[n_row * l + col] : 0.0f;
    }
    __syncthreads();

    for (int i = 0; i < TILE_K; ++i) {
      const float n = Nds[i][tx];
      upper += Mds[ty][i] * n;
      lower += Mds[ty + TILE_J / 2][i] * n;
    }
    __syncthreads();
  }

  if (col < l) {
    if (row < j) P[row * l + col] = upper;
    if (row + TILE_J / 2 < j) P[(row + TILE_J / 2) * l + col] = lower;
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 grid((l + TILE_L - 1) / TILE_L, (j + TILE_J - 1) / TILE_J);
  rect_tiled_matmul_kernel<<<grid, THREADS>>>(M, N, P, j, k, l);
}
