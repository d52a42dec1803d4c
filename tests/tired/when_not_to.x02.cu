// SPDX-License-Identifier: Apache-2.0
// mistake: the number of blocks is rounded up for coarse_factor 1 and then divided by the factor, rounded down. length
//   600, factor 2: 3 / 2 = 1 block for 512 elements, the last 88 are missing; length 1, factor 4: 1 / 4 = 0 blocks, a
//   launch that fails. Kernel and answers are right.
// want: length 600, coarse_factor 2: how many blocks do you launch, and how many elements do they serve?
#include "when_not_to.h"

constexpr int kBlock = 256;

template <int kFactor>
__global__ void vector_add(const float* A, const float* B, float* C, int length) {
  const int begin = blockIdx.x * kBlock * kFactor + threadIdx.x;
#pragma unroll
  for (int i = begin; i < begin + kBlock * kFactor; i += kBlock) {
    if (i < length) C[i] = A[i] + B[i];
  }
}

template <int kFactor>
static void launch(const float* A, const float* B, float* C, int length) {
  const int plain = (length + kBlock - 1) / kBlock;  // blocks without coarsening
  vector_add<kFactor><<<plain / kFactor, kBlock>>>(A, B, C, length);
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  switch (coarse_factor) {
    case 1: launch<1>(A, B, C, length); break;
    case 2: launch<2>(A, B, C, length); break;
    case 4: launch<4>(A, B, C, length); break;
    case 8: launch<8>(A, B, C, length); break;
  }
}
