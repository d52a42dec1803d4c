// SPDX-License-Identifier: Apache-2.0
// mistake: the grid has a thread for each element, and each thread also runs a loop whose stride is blockDim.x instead of
//   gridDim.x * blockDim.x: from its own element on it computes every 256th of all the rest. The values are right, but
//   several blocks store the same element, and the first threads store j * l / 256 elements each.
// want: Your grid has j * l threads. How far apart are the elements of one thread if nobody is to compute one twice?
#include "rect_matmul.h"

__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const size_t total = size_t(j) * l;
  const size_t first = size_t(blockIdx.x) * blockDim.x + threadIdx.x;

  // grid-stride loop
  for (size_t idx = first; idx < total; idx += blockDim.x) {
    const size_t row = idx / l;
    const size_t col = idx % l;
    float sum = 0.0f;
    for (int i = 0; i < k; ++i) {
      sum += M[row * k + i] * N[size_t(i) * l + col];
    }
    P[idx] = sum;
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  const size_t total = size_t(j) * l;
  if (total == 0) return;
  const int threads = 256;
  const unsigned blocks = (total + threads - 1) / threads;
  rect_matmul_kernel<<<blocks, threads>>>(M, N, P, j, k, l);
}
