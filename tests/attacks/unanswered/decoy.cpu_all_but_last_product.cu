// SPDX-License-Identifier: Apache-2.0
// exercise: rect_matmul
// verdict: not passed
// must not: pass
// The CPU adds up all products but the last; a thread for each element adds the last one and stores.

#include "rect_matmul.h"

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

__global__ void rect_matmul_kernel(const float* M, const float* N, const float* R, float* P, int j, int k, int l) {
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  if (row < j && col < l) P[row * l + col] = R[row * l + col] + (k ? M[row * k + k - 1] * N[(k - 1) * l + col] : 0.0f);
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  std::vector<float> m((size_t)j * k + 1), n((size_t)k * l + 1), p((size_t)j * l, 0.0f);
  if (k) { cudaMemcpy(m.data(), M, (size_t)j * k * 4, cudaMemcpyDeviceToHost); cudaMemcpy(n.data(), N, (size_t)k * l * 4, cudaMemcpyDeviceToHost); }
  for (int r = 0; r < j; ++r) for (int i = 0; i + 1 < k; ++i) for (int c = 0; c < l; ++c) p[r * l + c] += m[r * k + i] * n[i * l + c];
  float* R;
  cudaMalloc(&R, p.size() * 4);
  cudaMemcpy(R, p.data(), p.size() * 4, cudaMemcpyHostToDevice);
  rect_matmul_kernel<<<dim3((l + 15) / 16, (j + 15) / 16), dim3(16, 16)>>>(M, N, R, P, j, k, l);
  cudaFree(R);
}
