// SPDX-License-Identifier: Apache-2.0
// exercise: rect_matmul
// verdict: not passed
// must not: pass; grader_fault; hang
// cudaLaunchHostFunc: the CPU computes in a callback and copies when the stream gets there.

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

struct Work { std::vector<float> m, n, p; int j, k, l; };
static void CUDART_CB work(void* v) {
  Work& w = *(Work*)v;
  for (int r = 0; r < w.j; ++r)
    for (int c = 0; c < w.l; ++c) {
      float s = 0;
      for (int i = 0; i < w.k; ++i) s += w.m[r * w.k + i] * w.n[i * w.l + c];
      w.p[r * w.l + c] = s;
    }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  Work* w = new Work{std::vector<float>(j * k + 1), std::vector<float>(k * l + 1), std::vector<float>(j * l), j, k, l};
  cudaMemcpyAsync(w->m.data(), M, j * k * 4, cudaMemcpyDeviceToHost, 0);
  cudaMemcpyAsync(w->n.data(), N, k * l * 4, cudaMemcpyDeviceToHost, 0);
  cudaLaunchHostFunc(0, work, w);
  cudaMemcpyAsync(P, w->p.data(), j * l * 4, cudaMemcpyHostToDevice, 0);
}
