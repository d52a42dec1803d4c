// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: 8 x 8 elements a thread, each operand loaded by itself.
#include "fast_matmul.h"

#define TILE 64
#define STEP 16
#define PATCH 8
#define SIDE (TILE / PATCH)
#define THREADS (SIDE * SIDE)

__global__ void fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Ms[2][STEP][TILE + 1];
  __shared__ float Ns[2][STEP][TILE];

  const int ty = threadIdx.x / SIDE;
  const int tx = threadIdx.x % SIDE;
  const int row0 = blockIdx.y * TILE;
  const int col0 = blockIdx.x * TILE;
  const int phases = (width + STEP - 1) / STEP;

  float sum[PATCH][PATCH] = {};
  for (int phase = 0; phase < phases; ++phase) {
    const int stage = phase % 2;
    for (int i = threadIdx.x; i < TILE * STEP; i += THREADS) {
      const int row = row0 + i / STEP;
      const int k = phase * STEP + i % STEP;
      Ms[stage][i % STEP][i / STEP] = row < width && k < width ? M[row * width + k] : 0.0f;
    }
    for (int i = threadIdx.x; i < TILE * STEP; i += THREADS) {
      const int k = phase * STEP + i / TILE;
      const int col = col0 + i % TILE;
      Ns[stage][i / TILE][i % TILE] = k < width && col < width ? N[k * width + col] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < STEP; ++k) {
      float m[PATCH], n[PATCH];
#pragma unroll
      for (int i = 0; i < PATCH; ++i) {
        m[i] = Ms[stage][k][ty + i * SIDE];
        n[i] = Ns[stage][k][tx + i * SIDE];
      }
#pragma unroll
      for (int i = 0; i < PATCH; ++i) {
#pragma unroll
        for (int j = 0; j < PATCH; ++j) {
          sum[i][j] += m[i] * n[j];
        }
      }
    }
  }

#pragma unroll
  for (int i = 0; i < PATCH; ++i) {
#pragma unroll
    for (int j = 0; j < PATCH; ++j) {
      const int row = row0 + ty + i * SIDE;
      const int col = col0 + tx + j * SIDE;
      if (row < width && col < width) {
        P[row * width + col] = sum[i][j];
      }
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE - 1) / TILE;
  fast_matmul_kernel<<<dim3(tiles, tiles), THREADS>>>(M, N, P, width);
}
