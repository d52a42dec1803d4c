// SPDX-License-Identifier: Apache-2.0
// mistake: The number of blocks is rounded down (ceil(length / 256) / coarse_factor) and the loop goes on to the end of the
//   array, so that all values are right but threads may store more than coarse_factor elements. length 2304,
//   coarse_factor 4: 9 / 4 = 2 blocks in place of 3, 512 threads, the first 256 of which store 5. length 1536,
//   coarse_factor 4: one block, 6 elements a thread. The answers in the .toml are right.
// want: Let length be 2304 and coarse_factor 4. How many blocks do you launch, and how many elements does the first thread
//   then add?
#include "when_not_to.h"

#define BLOCK_SIZE 256

// Whole grid steps: in each step all threads of the grid are on neighbours.
__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length) {
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += step) {
    C[i] = A[i] + B[i];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  int blocks = (length + BLOCK_SIZE - 1) / BLOCK_SIZE;  // without coarsening
  blocks /= coarse_factor;
  if (blocks == 0) blocks = 1;
  when_not_to_kernel<<<blocks, BLOCK_SIZE>>>(A, B, C, length);
}
