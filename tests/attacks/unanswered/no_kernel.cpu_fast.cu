// SPDX-License-Identifier: Apache-2.0
// exercise: fast_matmul
// verdict: not passed
// must not: pass
// CPU result: every count is zero and so below every limit.

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

void fast_matmul(const float* M, const float* N, float* P, int width) {
  std::vector<float> p;
  cpu_mm(M, N, p, width, width, width);
  if (p.size()) cudaMemcpy(P, p.data(), p.size() * 4, cudaMemcpyHostToDevice);
}
