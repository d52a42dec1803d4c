// SPDX-License-Identifier: Apache-2.0
// differs: one-dimensional, a fixed grid of 29 blocks of 96 threads strides over all elements of P with 64-bit
// indices; pointers walk along the row and down the column. Windows line ends.

#include <cstddef>

#include "rect_matmul.h"

__global__ void elements_kernel(const float* __restrict__ M, const float* __restrict__ N, float* __restrict__ P,
                                std::size_t j, std::size_t k, std::size_t l) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t e = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; e < j * l; e += step) {
    const float* m = M + e / l * k;
    const float* n = N + e % l;
    float sum = 0;
    for (std::size_t left = k; left; --left, ++m, n += l) sum += *m * *n;
    P[e] = sum;
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (!(j && l)) return;
  elements_kernel<<<29, 96>>>(M, N, P, static_cast<std::size_t>(j), static_cast<std::size_t>(k), static_cast<std::size_t>(l));
}
