// SPDX-License-Identifier: Apache-2.0
// exercise: bank_of
// verdict: not passed
// must not: pass
// "It launches no kernel": the answer is computed by a kernel.

#include "bank_of.h"

__global__ void k(SharedArray a, int r, int c, Banks* b) {
  b->first = (a.base + (r * a.pitch + c) * a.element_bytes) / 4 % 32;
  b->count = a.element_bytes > 4 ? a.element_bytes / 4 : 1;
}
Banks bank_of(SharedArray array, int row, int column) {
  Banks *d, h;
  cudaMalloc(&d, sizeof h);
  k<<<1, 1>>>(array, row, column, d);
  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  return h;
}
