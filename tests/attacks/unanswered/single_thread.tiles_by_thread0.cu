// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass
// Thread (0,0) fetches both tiles alone and multiplies alone; the others store.

#include "tiled_matmul.h"

__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int w) {
  __shared__ float a[16][16], b[16][16], o[16][16];
  const int row = blockIdx.y * 16, col = blockIdx.x * 16, tx = threadIdx.x, ty = threadIdx.y;
  o[ty][tx] = 0;
  __syncthreads();
  if (!tx && !ty)
    for (int p = 0; p < w; p += 16) {
      for (int i = 0; i < 256; ++i) {
        const int r = i / 16, c = i % 16;
        a[r][c] = row + r < w && p + c < w ? M[(row + r) * w + p + c] : 0.0f;
        b[r][c] = p + r < w && col + c < w ? N[(p + r) * w + col + c] : 0.0f;
      }
      for (int r = 0; r < 16; ++r)
        for (int c = 0; c < 16; ++c)
          for (int k = 0; k < 16; ++k) o[r][c] += a[r][k] * b[k][c];
    }
  __syncthreads();
  if (row + ty < w && col + tx < w) P[(row + ty) * w + col + tx] = o[ty][tx];
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  tiled_matmul_kernel<<<dim3((width + 15) / 16, (width + 15) / 16), dim3(16, 16)>>>(M, N, P, width);
}
