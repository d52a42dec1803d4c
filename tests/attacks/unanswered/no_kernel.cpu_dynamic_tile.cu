// SPDX-License-Identifier: Apache-2.0
// exercise: dynamic_tiled_matmul
// verdict: not passed
// must not: pass
// CPU result and a launch of an empty kernel with just the right block and bytes.

#include "dynamic_tiled_matmul.h"

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
__global__ void dynamic_tiled_matmul_kernel(const float*, const float*, float*, int, int) { extern __shared__ float tiles[]; tiles[threadIdx.y * blockDim.x + threadIdx.x] = 0; }

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int t = (width + tile - 1) / tile;
  dynamic_tiled_matmul_kernel<<<dim3(t, t), dim3(tile, tile), 2 * tile * tile * 4>>>(M, N, P, width, tile);
  std::vector<float> p;
  cpu_mm(M, N, p, width, width, width);
  cudaMemcpy(P, p.data(), p.size() * 4, cudaMemcpyHostToDevice);
}
