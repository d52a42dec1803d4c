// SPDX-License-Identifier: Apache-2.0
// One thread an element of P, straight from global memory.
#include "tests/kernels/matmul/matrices.h"

__global__ void matmul(const float* M, const float* N, float* P, int width) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= width || col >= width) return;
  float sum = 0;
  for (int k = 0; k < width; ++k) sum += M[row * width + k] * N[k * width + col];
  P[row * width + col] = sum;
}

int main() {
  for (int width : {1, 16, 50})
    TestProduct(width, width, width, [](const float* M, const float* N, float* P, int width, int, int) {
      matmul<<<dim3((width + 15) / 16, (width + 15) / 16), dim3(16, 16)>>>(M, N, P, width);
    });
  return Result();
}
