// SPDX-License-Identifier: Apache-2.0
// exercise: when_not_to
// verdict: not passed
// because: a block has 128 threads; the contract says 256
// must not: pass
// Each thread adds coarse_factor elements side by side with its warp's, and only the block is another one.

#include "when_not_to.h"

__global__ void added(const float* A, const float* B, float* C, int length, int factor) {
  const int first = blockIdx.x * blockDim.x * factor + threadIdx.x;
  for (int i = 0; i < factor; ++i) {
    const int at = first + i * blockDim.x;
    if (at < length) C[at] = A[at] + B[at];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int of_a_block = 128 * coarse_factor;
  added<<<(length + of_a_block - 1) / of_a_block, 128>>>(A, B, C, length, coarse_factor);
}
