// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass
// Inputs up to 90 x 90 go to constant memory, and a naive kernel reads them there; wider ones go slab by slab.

#include "tiled_matmul.h"

__constant__ float cm[8000], cn[8000];
__global__ void slab(float* P, int width, int row, int rows, int k0, int ks, int c0, int cs) {
  const int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
  if (r >= rows || c >= cs) return;
  float s = k0 ? P[(row + r) * width + c0 + c] : 0.0f;
  for (int k = 0; k < ks; ++k) s += cm[r * ks + k] * cn[k * cs + c];
  P[(row + r) * width + c0 + c] = s;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int B = 88;
  for (int r = 0; r < width; r += B)
    for (int c = 0; c < width; c += B)
      for (int k = 0; k < width; k += B) {
        const int rs = width - r < B ? width - r : B, cs = width - c < B ? width - c : B, ks = width - k < B ? width - k : B;
        for (int i = 0; i < rs; ++i) cudaMemcpyToSymbol(cm, M + (r + i) * width + k, ks * 4, i * ks * 4, cudaMemcpyDeviceToDevice);
        for (int i = 0; i < ks; ++i) cudaMemcpyToSymbol(cn, N + (k + i) * width + c, cs * 4, i * cs * 4, cudaMemcpyDeviceToDevice);
        slab<<<dim3((cs + 15) / 16, (rs + 15) / 16), dim3(16, 16)>>>(P, width, r, rs, k, ks, c, cs);
      }
}
