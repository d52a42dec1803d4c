// SPDX-License-Identifier: Apache-2.0
// One thread a row of P, and one thread a column: the two that exercise 1 of the chapter compares.
#include "tests/kernels/matmul/matrices.h"

__global__ void by_rows(const float* M, const float* N, float* P, int width) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= width) return;
  for (int col = 0; col < width; ++col) {
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += M[row * width + k] * N[k * width + col];
    P[row * width + col] = sum;
  }
}

__global__ void by_columns(const float* M, const float* N, float* P, int width) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= width) return;
  for (int row = 0; row < width; ++row) {
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += M[row * width + k] * N[k * width + col];
    P[row * width + col] = sum;
  }
}

int main() {
  for (auto kernel : {by_rows, by_columns})
    TestProduct(45, 45, 45, [=](const float* M, const float* N, float* P, int width, int, int) {
      kernel<<<2, 32>>>(M, N, P, width);
    });
  return Result();
}
