// SPDX-License-Identifier: Apache-2.0
// mistake: a break is missing after case 4: the kernel for 8 is launched, too, and adds everything again. The values are
//   right, but with coarse_factor 4 the second kernel's threads store 8 elements each (4 are allowed), and at 65536
//   elements there are 32768 threads (17408 are allowed) and 49152 sectors (24576). The answers in the .toml are right.
// want: How many kernels does the report show for coarse_factor 4? Follow the switch with your finger.
#include "when_not_to.h"

template <int FACTOR>
__global__ void add(const float* A, const float* B, float* C, int length) {
  int i = blockIdx.x * 256 * FACTOR + threadIdx.x;
#pragma unroll
  for (int step = 0; step < FACTOR; ++step) {
    if (i < length) C[i] = A[i] + B[i];
    i += 256;
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int elements = 256 * coarse_factor;  // of a block
  const int blocks = (length + elements - 1) / elements;
  switch (coarse_factor) {
    case 1:
      add<1><<<blocks, 256>>>(A, B, C, length);
      break;
    case 2:
      add<2><<<blocks, 256>>>(A, B, C, length);
      break;
    case 4:
      add<4><<<blocks, 256>>>(A, B, C, length);
    case 8:
      add<8><<<blocks, 256>>>(A, B, C, length);
      break;
  }
}
