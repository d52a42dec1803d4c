// SPDX-License-Identifier: Apache-2.0
// mistake: the four tiles of a block lie one below the other, not side by side; the values are right, but N is shared
//   and M reloaded: M is loaded ceil(width / 32) times and N ceil(width / 128) times, the reverse of what is asked.
// want: Your values are right. Which of M and N does your block load once for its four tiles, and which one four
//   times? Which should it be for tiles that lie side by side?

#include "coarsened_matmul.h"

#define T 32
#define COARSE 4

__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[T][T];
  __shared__ float Nds[T][T];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int col = blockIdx.x * T + tx;
  const int first_row = blockIdx.y * T * COARSE + ty;

  float sum[COARSE] = {0.0f, 0.0f, 0.0f, 0.0f};

  for (int k0 = 0; k0 < width; k0 += T) {
    // this tile is the same for all four
    Nds[ty][tx] = k0 + ty < width && col < width ? N[(k0 + ty) * width + col] : 0.0f;

#pragma unroll
    for (int c = 0; c < COARSE; ++c) {
      const int row = first_row + c * T;
      Mds[ty][tx] = row < width && k0 + tx < width ? M[row * width + k0 + tx] : 0.0f;
      __syncthreads();
      for (int k = 0; k < T; ++k) {
        sum[c] += Mds[ty][k] * Nds[k][tx];
      }
      __syncthreads();
    }
  }

#pragma unroll
  for (int c = 0; c < COARSE; ++c) {
    const int row = first_row + c * T;
    if (row < width && col < width) P[row * width + col] = sum[c];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 block(T, T);
  const dim3 grid((width + T - 1) / T, (width + T * COARSE - 1) / (T * COARSE));
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
