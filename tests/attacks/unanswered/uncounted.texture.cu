// SPDX-License-Identifier: Apache-2.0
// exercise: rect_tiled_matmul
// verdict: not passed
// must not: pass; grader_fault
// Texture objects on the inputs: reads that are not loads.

#include "rect_tiled_matmul.h"

__global__ void rect_tiled_matmul_kernel(cudaTextureObject_t M, cudaTextureObject_t N, float* P, int j, int k, int l) {
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  if (row >= j || col >= l) return;
  float s = 0;
  for (int i = 0; i < k; ++i) s += tex1Dfetch<float>(M, row * k + i) * tex1Dfetch<float>(N, i * l + col);
  P[row * l + col] = s;
}
static cudaTextureObject_t tex(const float* p, size_t n) {
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = (void*)p;
  r.res.linear.desc = cudaCreateChannelDesc<float>();
  r.res.linear.sizeInBytes = n * 4;
  cudaTextureDesc t = {};
  cudaTextureObject_t o = 0;
  cudaCreateTextureObject(&o, &r, &t, nullptr);
  return o;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  rect_tiled_matmul_kernel<<<dim3((l + 15) / 16, (j + 15) / 16), dim3(16, 16)>>>(tex(M, j * k), tex(N, k * l), P, j, k, l);
}
