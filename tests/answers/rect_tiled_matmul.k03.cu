// SPDX-License-Identifier: Apache-2.0
// mistake: two: the next tiles are fetched into registers early, but nothing waits between the sum and writing them into
//   shared memory, so that a fast thread overwrites what others still read. And the check of the store takes k for
//   the number of P's columns, which is l.
// want: How many columns has P? (And: when a thread writes its registers into the tile in the second phase, what says
//   that all others have finished the first?)
#include "rect_tiled_matmul.h"

#define TW 16

__device__ float get(const float* A, int r, int c, int rows, int cols) {
  return (r < rows && c < cols) ? A[r * cols + c] : 0.0f;
}

__global__ void rect_prefetch(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float ms[TW][TW];
  __shared__ float ns[TW][TW];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TW + ty;
  const int col = blockIdx.x * TW + tx;
  const int phases = (k + TW - 1) / TW;

  // the first tiles are already on their way
  float regM = get(M, row, tx, j, k);
  float regN = get(N, ty, col, k, l);

  float sum = 0.0f;
  for (int p = 0; p < phases; ++p) {
    ms[ty][tx] = regM;
    ns[ty][tx] = regN;
    __syncthreads();

    // next ones: the loads run while we calculate (zeros behind the end)
    regM = get(M, row, (p + 1) * TW + tx, j, k);
    regN = get(N, (p + 1) * TW + ty, col, k, l);

    for (int i = 0; i < TW; ++i) {
      sum += ms[ty][i] * ns[i][tx];
    }
  }

  if (row < j && col < k) {
    P[row * l + col] = sum;
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 grid((l + TW - 1) / TW, (j + TW - 1) / TW);
  const dim3 block(TW, TW);
  rect_prefetch<<<grid, block>>>(M, N, P, j, k, l);
}
