// SPDX-License-Identifier: Apache-2.0
// exercise: rect_matmul
// verdict: not passed
// must not: pass
// Managed memory: inputs are copied device to device into it, the CPU computes there, the result goes back device to device.

#include "rect_matmul.h"

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  float *m, *n, *p;
  cudaMallocManaged(&m, (size_t)j * k * 4 + 4);
  cudaMallocManaged(&n, (size_t)k * l * 4 + 4);
  cudaMallocManaged(&p, (size_t)j * l * 4 + 4);
  cudaMemcpy(m, M, (size_t)j * k * 4, cudaMemcpyDefault);
  cudaMemcpy(n, N, (size_t)k * l * 4, cudaMemcpyDefault);
  cudaDeviceSynchronize();
  for (int r = 0; r < j; ++r)
    for (int c = 0; c < l; ++c) {
      float s = 0;
      for (int i = 0; i < k; ++i) s += m[r * k + i] * n[i * l + c];
      p[r * l + c] = s;
    }
  cudaMemcpy(P, p, (size_t)j * l * 4, cudaMemcpyDefault);
  cudaFree(m); cudaFree(n); cudaFree(p);
}
