// SPDX-License-Identifier: Apache-2.0
// mistake: the case of factor 4 has no break, so that after its launch the one of factor 8 follows and adds everything once
//   more. The values are the same. But with coarse_factor 4 and 65536 elements there are 16384 + 8192 = 24576 threads where
//   17408 are allowed, 49152 sectors where 24576 are, and threads of the second launch store 8 elements. The other
//   factors, and the answers in the .toml, are right.
// want: How many kernels does one call launch when coarse_factor is 4? And when it is 2?
#include "when_not_to.h"

#define BLOCK_SIZE 256

template <int Factor>
__global__ void add_kernel(const float* A, const float* B, float* C, int length) {
  const int first = blockIdx.x * (BLOCK_SIZE * Factor) + threadIdx.x;
#pragma unroll
  for (int step = 0; step < Factor; ++step) {
    const int i = first + step * BLOCK_SIZE;
    if (i >= length) return;
    C[i] = A[i] + B[i];
  }
}

template <int Factor>
static void launch(const float* A, const float* B, float* C, int length) {
  constexpr int served = BLOCK_SIZE * Factor;
  add_kernel<Factor><<<(length + served - 1) / served, BLOCK_SIZE>>>(A, B, C, length);
}

// The factor is a constant in each kernel, so that its loop is unrolled.
void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  switch (coarse_factor) {
    case 1:
      launch<1>(A, B, C, length);
      break;
    case 2:
      launch<2>(A, B, C, length);
      break;
    case 4:
      launch<4>(A, B, C, length);
    case 8:
      launch<8>(A, B, C, length);
      break;
  }
}
