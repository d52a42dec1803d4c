// SPDX-License-Identifier: Apache-2.0
// mistake: the first answer: 256 are the sectors that are loaded, 128 for each of A and B; those that are stored to C belong
//   to them, 384 in all. The kernel and the other two answers are right.
// want: how many arrays does the kernel touch, and how many sectors do 1024 floats of one of them take?
#include "when_not_to.h"

template <int Factor>
__global__ void add(const float* A, const float* B, float* C, int length) {
  int i = blockIdx.x * blockDim.x * Factor + threadIdx.x;
#pragma unroll
  for (int k = 0; k < Factor; ++k, i += blockDim.x) {
    if (i < length) C[i] = A[i] + B[i];
  }
}

template <int Factor>
static void launch(const float* A, const float* B, float* C, int length) {
  const int per_block = 256 * Factor;
  add<Factor><<<(length + per_block - 1) / per_block, 256>>>(A, B, C, length);
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  switch (coarse_factor) {
    case 8: return launch<8>(A, B, C, length);
    case 4: return launch<4>(A, B, C, length);
    case 2: return launch<2>(A, B, C, length);
    default: return launch<1>(A, B, C, length);
  }
}
