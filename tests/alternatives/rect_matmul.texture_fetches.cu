// SPDX-License-Identifier: Apache-2.0
// differs: an extra answer: N is read through a texture object over its linear memory (tex1Dfetch).

#include "rect_matmul.h"

__global__ void textured(const float* M, cudaTextureObject_t N, float* P, int j, int k, int l) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= j || col >= l) return;
  float sum = 0.0f;
  for (int i = 0; i < k; ++i) sum += M[row * k + i] * tex1Dfetch<float>(N, i * l + col);
  P[row * l + col] = sum;
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  if (k == 0) {
    cudaMemset(P, 0, sizeof(float) * j * l);
    return;
  }
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<float*>(N);
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = sizeof(float) * k * l;
  cudaTextureDesc how = {};
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  textured<<<dim3((l + 15) / 16, (j + 15) / 16), dim3(16, 16)>>>(M, texture, P, j, k, l);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(texture);
}
