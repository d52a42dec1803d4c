// SPDX-License-Identifier: Apache-2.0
// mistake: where k is 0, cudaMemset gets the number of elements for its number of bytes: only a quarter of P becomes
//   zero. j = 2, k = 0, l = 4: 8 bytes, the first two of eight elements. The kernel is right.
// want: with k = 0, j = 2 and l = 4, how many elements of P become zero? What does the third argument count?
#include "rect_matmul.h"

__global__ void rect_matmul_flat(const float* M, const float* N, float* P, int j, int k, int l) {
  const size_t total = (size_t)j * l;
  const size_t stride = (size_t)gridDim.x * blockDim.x;
  for (size_t idx = (size_t)blockIdx.x * blockDim.x + threadIdx.x; idx < total; idx += stride) {
    const size_t row = idx / l;
    const size_t col = idx % l;
    const float* m = M + row * k;
    const float* n = N + col;
    float sum = 0.0f;
    for (int i = 0; i < k; ++i, ++m, n += l) sum += *m * *n;
    P[idx] = sum;
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  const size_t total = (size_t)j * l;
  if (total == 0) return;
  if (k == 0) {
    // nothing to add up: all zeros
    cudaMemset(P, 0, total);
    return;
  }
  const unsigned blocks = (unsigned)((total + 255) / 256);
  rect_matmul_flat<<<blocks, 256>>>(M, N, P, j, k, l);
}
