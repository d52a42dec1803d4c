// SPDX-License-Identifier: Apache-2.0
// exercise: rect_tiled_matmul
// verdict: not passed
// must not: pass
// Looks whether the inputs are small integers (a test of values) and gives a CPU result then; runs a naive kernel for others.

#include "rect_tiled_matmul.h"

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

__global__ void naive_mm(const float* M, const float* N, float* P, int j, int k, int l) {
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  if (row >= j || col >= l) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += M[row * k + i] * N[i * l + col];
  P[row * l + col] = sum;
}
static void naive(const float* M, const float* N, float* P, int j, int k, int l) {
  naive_mm<<<dim3((l + 15) / 16, (j + 15) / 16), dim3(16, 16)>>>(M, N, P, j, k, l);
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  std::vector<float> m((size_t)j * k);
  if (m.size()) cudaMemcpy(m.data(), M, m.size() * 4, cudaMemcpyDeviceToHost);
  bool ints = true;
  for (float v : m) ints = ints && v == (int)v;
  if (!ints) { naive(M, N, P, j, k, l); return; }
  std::vector<float> p;
  cpu_mm(M, N, p, j, k, l);
  cudaMemcpy(P, p.data(), p.size() * 4, cudaMemcpyHostToDevice);
}
