// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the number of blocks is rounded up for factor 1 and then divided by coarse_factor, which rounds
//   down. length = 600, factor 2: 3 / 2 = 1 block, whose thread 0 stores elements 0, 256 and 512, three where two are
//   allowed; length = 1, factor 8: 1 / 8 = 0 blocks, an error, and C[0] is never stored. And in the .toml
//   sectors_per_1024_elements is 96, which counts one element for each of the 256 threads; right is 3 x 1024 x 4 / 32 =
//   384, as with factor 1. (The stride of the whole grid is a right way to have neighbours in each step.)
// want: How many blocks do you launch for a single element with coarse_factor 8?
#include "when_not_to.h"

#define BLOCK_SIZE 256

__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length) {
  const int all_threads = gridDim.x * BLOCK_SIZE;
  // All threads of the grid take a step to the right together.
  for (int i = blockIdx.x * BLOCK_SIZE + threadIdx.x; i < length; i += all_threads) {
    C[i] = A[i] + B[i];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int uncoarsened = (length + BLOCK_SIZE - 1) / BLOCK_SIZE;
  const int blocks = uncoarsened / coarse_factor;
  when_not_to_kernel<<<blocks, BLOCK_SIZE>>>(A, B, C, length);
}
