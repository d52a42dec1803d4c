// SPDX-License-Identifier: Apache-2.0
// exercise: fast_matmul
// verdict: not passed
// must not: pass; an estimated speedup that is absurd
// Makes the estimate's counts tiny: one launch that stores P from a precomputed CPU result with float4.

#include "fast_matmul.h"

#include <vector>
static void cpu_mm(const float* dM, const float* dN, std::vector<float>& p, int j, int k, int l) {
  std::vector<float> m((size_t)j * k), n((size_t)k * l);
  p.assign((size_t)j * l, 0.0f);
  if (m.size()) cudaMemcpy(m.data(), dM, m.size() * 4, cudaMemcpyDeviceToHost);
  if (n.size()) cudaMemcpy(n.data(), dN, n.size() * 4, cudaMemcpyDeviceToHost);
  for (int r = 0; r < j; ++r)
    for (int i = 0; i < k; ++i)
      for (int c = 0; c < l; ++c) p[(size_t)r * l + c] += m[(size_t)r * k + i] * n[(size_t)i * l + c];
}

__global__ void fast_matmul_kernel(const float* R, float* P, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (n % 4 == 0) { if (i < n / 4) ((float4*)P)[i] = ((const float4*)R)[i]; }
  else if (i < n) P[i] = R[i];
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  std::vector<float> p;
  cpu_mm(M, N, p, width, width, width);
  float* R;
  cudaMalloc(&R, p.size() * 4);
  cudaMemcpy(R, p.data(), p.size() * 4, cudaMemcpyHostToDevice);
  fast_matmul_kernel<<<(width * width + 255) / 256, 256>>>(R, P, width * width);
  cudaFree(R);
}
