// SPDX-License-Identifier: Apache-2.0
// mistake: the second kernel, which adds the last, partial phase, is launched only where k > TILE: with k from 1 to 15
//   there are no whole phases, and the partial one is left out: P is all zeros.
// want: Which kernel adds anything when k is 5? The first has no whole phase to do, and your condition keeps the second
//   from running.
#include "rect_tiled_matmul.h"

#define TILE 16

// Kernel 1: all whole phases. No checks along k needed.
__global__ void whole_phases(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float a[TILE][TILE];
  __shared__ float b[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;

  float sum = 0.0f;
  for (int ph = 0; ph < k / TILE; ++ph) {
    a[ty][tx] = row < j ? M[row * k + ph * TILE + tx] : 0.0f;
    b[ty][tx] = col < l ? N[(ph * TILE + ty) * l + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE; ++i) sum += a[ty][i] * b[i][tx];
    __syncthreads();
  }
  if (row < j && col < l) P[row * l + col] = sum;
}

// Kernel 2: adds the last k % TILE products.
__global__ void last_phase(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float a[TILE][TILE];
  __shared__ float b[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;
  int rest = k % TILE;
  int done = k - rest;

  if (row < j && tx < rest) a[ty][tx] = M[row * k + done + tx];
  if (col < l && ty < rest) b[ty][tx] = N[(done + ty) * l + col];
  __syncthreads();

  if (row < j && col < l) {
    float sum = 0.0f;
    for (int i = 0; i < rest; ++i) sum += a[ty][i] * b[i][tx];
    P[row * l + col] += sum;
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  dim3 block(TILE, TILE);
  dim3 grid((l + TILE - 1) / TILE, (j + TILE - 1) / TILE);

  whole_phases<<<grid, block>>>(M, N, P, j, k, l);  // also stores the zeros for k = 0
  if (k > TILE && k % TILE != 0) {
    last_phase<<<grid, block>>>(M, N, P, j, k, l);
  }
}
