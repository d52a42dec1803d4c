// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: what lies outside is replaced by the last row or column, in both operands, not by 0: beyond the
//   edge the last product is added again and again; width 1: P is 32 times M x N. (One operand of 0 would do.) And N's
//   tile is loaded turned, neighbouring threads a row of N apart, so that each load is a sector of its own: at width 128
//   65536 sectors for N alone, where 20480 in all are allowed.
// want: width 1: which value does the thread load whose k is 5, from M and from N, and what does the product of these two
//   do to the sum?
#include "coarsened_matmul.h"

constexpr int T = 32;
constexpr int C = 4;

__global__ void matmul_c4(const float* M, const float* N, float* P, int width) {
  __shared__ float Ms[T][T];
  __shared__ float Nt[T][T + 1];  // turned: [column][k], then both are read along k

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * T + ty;
  const int left = blockIdx.x * T * C;
  const int last = width - 1;

  auto inside = [last](int i) { return min(i, last); };  // no branches needed

  float sum[C] = {0.0f, 0.0f, 0.0f, 0.0f};

  for (int k0 = 0; k0 < width; k0 += T) {
    const int k = inside(k0 + tx);
    Ms[ty][tx] = M[inside(row) * width + k];

    for (int c = 0; c < C; ++c) {
      const int edge = left + c * T;
      if (edge >= width) break;  // no such tile; the same for the whole block
      Nt[ty][tx] = N[k * width + inside(edge + ty)];
      __syncthreads();
      for (int i = 0; i < T; ++i) sum[c] += Ms[ty][i] * Nt[tx][i];
      __syncthreads();
    }
  }

  for (int c = 0; c < C; ++c) {
    const int col = left + c * T + tx;
    if (row < width && col < width) P[row * width + col] = sum[c];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + T - 1) / T;
  const dim3 grid((tiles + C - 1) / C, tiles);
  matmul_c4<<<grid, dim3(T, T)>>>(M, N, P, width);
}
