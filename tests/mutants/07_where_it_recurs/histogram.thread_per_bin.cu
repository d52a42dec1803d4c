// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: each thread looks for one value in the whole input.
#include "histogram.h"

#define BLOCK_SIZE 256

__global__ void histogram_kernel(const int* input, int* counts, int length, int bins) {
  const int b = blockIdx.x * BLOCK_SIZE + threadIdx.x;
  if (b >= bins) {
    return;
  }
  int count = 0;
  for (int i = 0; i < length; ++i) {
    if (input[i] == b) {
      ++count;
    }
  }
  counts[b] = count;
}

void histogram(const int* input, int* counts, int length, int bins) {
  const int blocks = (bins + BLOCK_SIZE - 1) / BLOCK_SIZE;
  histogram_kernel<<<blocks, BLOCK_SIZE>>>(input, counts, length, bins);
}
