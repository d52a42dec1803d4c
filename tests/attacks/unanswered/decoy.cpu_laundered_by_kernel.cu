// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass
// The CPU result goes to scratch; a kernel of the right shape copies it to P through shared memory, reads M and N as a tiled kernel would, and makes the multiply-adds on what it read, times zero.

#include "tiled_matmul.h"

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

__global__ void tiled_matmul_kernel(const float* M, const float* N, const float* R, float* P, int width) {
  __shared__ float Mds[16][16], Nds[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  int never = 0;
  for (int p = 0; p < (width + 15) / 16; ++p) {
    Mds[ty][tx] = row < width && p * 16 + tx < width ? M[row * width + p * 16 + tx] : 0.0f;
    Nds[ty][tx] = p * 16 + ty < width && col < width ? N[(p * 16 + ty) * width + col] : 0.0f;
    __syncthreads();
    float s = 0;
    for (int k = 0; k < 16; ++k) s += Mds[ty][k] * Nds[k][tx];
    never |= s == 123456.789f;
    __syncthreads();
  }
  if (row < width && col < width) P[row * width + col] = R[row * width + col] + never;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  std::vector<float> p;
  cpu_mm(M, N, p, width, width, width);
  float* R;
  cudaMalloc(&R, p.size() * 4);
  cudaMemcpy(R, p.data(), p.size() * 4, cudaMemcpyHostToDevice);
  const int t = (width + 15) / 16;
  tiled_matmul_kernel<<<dim3(t, t), dim3(16, 16)>>>(M, N, R, P, width);
  cudaFree(R);
}
