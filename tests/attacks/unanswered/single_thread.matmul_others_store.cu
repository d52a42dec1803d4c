// SPDX-License-Identifier: Apache-2.0
// exercise: rect_matmul
// verdict: not passed
// must not: pass
// Thread (0,0) of each block computes the block's 256 elements into shared memory; every thread stores its own one.

#include "rect_matmul.h"

__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float out[16][16];
  const int row = blockIdx.y * 16, col = blockIdx.x * 16;
  if (threadIdx.x == 0 && threadIdx.y == 0)
    for (int r = 0; r < 16 && row + r < j; ++r)
      for (int c = 0; c < 16 && col + c < l; ++c) {
        float s = 0;
        for (int i = 0; i < k; ++i) s += M[(row + r) * k + i] * N[i * l + col + c];
        out[r][c] = s;
      }
  __syncthreads();
  if (row + threadIdx.y < j && col + threadIdx.x < l) P[(row + threadIdx.y) * l + col + threadIdx.x] = out[threadIdx.y][threadIdx.x];
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  rect_matmul_kernel<<<dim3((l + 15) / 16, (j + 15) / 16), dim3(16, 16)>>>(M, N, P, j, k, l);
}
