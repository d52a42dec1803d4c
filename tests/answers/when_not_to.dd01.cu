// SPDX-License-Identifier: Apache-2.0
// mistake: The kernel is right (a thread's elements lie a whole grid apart, which is allowed). In the answer's file
//   sectors_per_1024_elements is 256: the sectors of A and B without those of C. 3 x 1024 x 4 / 32 = 384.
// want: The first question asks for loads and stores together. Which of the three arrays are in your 256?
#include "when_not_to.h"

// grid-stride: the grid is just small enough that everyone has coarse_factor elements
__global__ void add_kernel(const float* A, const float* B, float* C, int length) {
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += step) {
    C[i] = A[i] + B[i];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int threads = 256;
  const int per_block = threads * coarse_factor;
  add_kernel<<<(length + per_block - 1) / per_block, threads>>>(A, B, C, length);
}
