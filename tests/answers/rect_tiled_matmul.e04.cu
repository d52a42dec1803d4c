// SPDX-License-Identifier: Apache-2.0
// mistake: (1) the one-dimensional block number is split with the tiles from top to bottom, not with those from
//   left to right: wrong unless P has as many of the one as of the other. (2) `steps` is computed once from
//   k: in a ragged last phase (k above 16) old tile elements are summed again.
// want: If you number the tiles of P row by row, how many numbers belong to one row of tiles? And with k = 20:
//   how many products does your second phase add, and how many has it loaded?

#include "rect_tiled_matmul.h"

#define T 16

// The blocks are numbered through the tiles of P, row by row; `across` tiles are one row.
__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l,
                                         int across) {
  __shared__ float Mds[T][T];
  __shared__ float Nds[T][T];

  const int by = blockIdx.x / across;
  const int bx = blockIdx.x % across;
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = by * T + ty;
  const int col = bx * T + tx;

  // products in a phase; k may be smaller than a tile
  const int steps = k < T ? k : T;

  float sum = 0.0f;
  for (int start = 0; start < k; start += T) {
    if (row < j && start + tx < k) Mds[ty][tx] = M[row * k + start + tx];
    if (col < l && start + ty < k) Nds[ty][tx] = N[(start + ty) * l + col];
    __syncthreads();

    if (row < j && col < l) {
      for (int i = 0; i < steps; ++i) sum += Mds[ty][i] * Nds[i][tx];
    }
    __syncthreads();
  }

  if (row < j && col < l) P[row * l + col] = sum;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const int tiles_l = (l + T - 1) / T;
  const int tiles_j = (j + T - 1) / T;
  rect_tiled_matmul_kernel<<<tiles_l * tiles_j, dim3(T, T)>>>(M, N, P, j, k, l, tiles_j);
}
