// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass
// Four by four elements of P in a thread's registers, straight from global memory; one dummy is read from shared memory.

#include "tiled_matmul.h"

#define PATCH 4

__global__ void register_tiles(const float* M, const float* N, float* P, int width) {
  __shared__ volatile float dummy[1];
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    dummy[0] = 0.0f;
    const float seen = dummy[0];
    (void)seen;
  }
  const int row = (blockIdx.y * 8 + threadIdx.y) * PATCH, col = (blockIdx.x * 8 + threadIdx.x) * PATCH;
  if (row >= width || col >= width) return;
  float sum[PATCH][PATCH] = {};
  for (int k = 0; k < width; ++k) {
    float m[PATCH], n[PATCH];
    for (int i = 0; i < PATCH; ++i) m[i] = row + i < width ? M[(row + i) * width + k] : 0.0f;
    for (int i = 0; i < PATCH; ++i) n[i] = col + i < width ? N[k * width + col + i] : 0.0f;
    for (int r = 0; r < PATCH; ++r) {
      for (int c = 0; c < PATCH; ++c) {
        if (row + r < width && col + c < width) sum[r][c] += m[r] * n[c];
      }
    }
  }
  for (int r = 0; r < PATCH; ++r) {
    for (int c = 0; c < PATCH; ++c) {
      if (row + r < width && col + c < width) P[(row + r) * width + col + c] = sum[r][c];
    }
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int blocks = (width + 8 * PATCH - 1) / (8 * PATCH);
  register_tiles<<<dim3(blocks, blocks), dim3(8, 8)>>>(M, N, P, width);
}
