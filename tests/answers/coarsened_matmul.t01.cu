// SPDX-License-Identifier: Apache-2.0
// mistake: threads below the last row return at once, but they are the ones that should load their rows of N's tile. In
//   the lowest blocks the rows of Nds whose thread is gone are never stored. width 33: in the blocks with
//   blockIdx.y 1 only ty 0 stays, and Nds has row 0 of each phase only; row 32 of P is wrong. Right where width is a
//   multiple of 32. The four tiles of N at once, one barrier for all, and the guards of columns are right.
// want: width 33: which threads of the lower block are still there in the loop? Who loads row 5 of N's tile?
#include "coarsened_matmul.h"

#define T 32
#define TILES 4

__global__ void __launch_bounds__(T* T) coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float m[T][T];
  __shared__ float n[T][TILES * T];  // all four tiles beside each other

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty;
  const int left = blockIdx.x * T * TILES;
  if (row >= width) return;  // no element of P

  float sum[TILES] = {};

  for (int k0 = 0; k0 < width; k0 += T) {
    m[ty][tx] = k0 + tx < width ? M[row * width + k0 + tx] : 0.0f;
#pragma unroll
    for (int c = tx; c < T * TILES; c += T) {
      n[ty][c] = k0 + ty < width && left + c < width ? N[(k0 + ty) * width + left + c] : 0.0f;
    }
    __syncthreads();

    for (int k = 0; k < T; ++k) {
      const float a = m[ty][k];
#pragma unroll
      for (int j = 0; j < TILES; ++j) sum[j] += a * n[k][j * T + tx];
    }
    __syncthreads();
  }

#pragma unroll
  for (int j = 0; j < TILES; ++j) {
    const int col = left + j * T + tx;
    if (col < width) P[row * width + col] = sum[j];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 grid((width + T * TILES - 1) / (T * TILES), (width + T - 1) / T);
  coarsened_matmul_kernel<<<grid, dim3(T, T)>>>(M, N, P, width);
}
