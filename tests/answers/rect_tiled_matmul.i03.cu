// SPDX-License-Identifier: Apache-2.0
// mistake: the next tiles are fetched into registers while the block computes, and the second barrier has been
//   dropped for it. A fast warp stores its registers into the tiles while others still read the old ones: a race
//   wherever there are two phases or more (k above 16).
// want: What may the fastest warp do after its inner loop, and what may the slowest be doing at that time? Registers
//   hold the next elements, but where do they go?
#include "rect_tiled_matmul.h"

#define T 16

__device__ float fetch(const float* A, int r, int c, int rows, int cols) {
  return r < rows && c < cols ? A[r * cols + c] : 0.0f;
}

__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[T][T];
  __shared__ float Nds[T][T];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * T + ty;
  const int col = blockIdx.x * T + tx;

  // software pipeline
  float next_m = fetch(M, row, tx, j, k);
  float next_n = fetch(N, ty, col, k, l);

  float sum = 0.0f;
  for (int at = 0; at < k; at += T) {
    Mds[ty][tx] = next_m;
    Nds[ty][tx] = next_n;
    __syncthreads();  // one barrier is enough, the next loads go to registers

    const int then = at + T;
    if (then < k) {
      next_m = fetch(M, row, then + tx, j, k);
      next_n = fetch(N, then + ty, col, k, l);
    }
    for (int i = 0; i < T; ++i) {
      sum += Mds[ty][i] * Nds[i][tx];
    }
  }

  if (row < j && col < l) {
    P[row * l + col] = sum;
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 block(T, T);
  const dim3 grid((l + T - 1) / T, (j + T - 1) / T);
  rect_tiled_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
