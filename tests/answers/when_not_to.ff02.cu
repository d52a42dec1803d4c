// SPDX-License-Identifier: Apache-2.0
// mistake: a thread whose last element does not exist adds none of its elements. With length 100 and
//   coarse_factor 4 lanes 0 to 3 of the first warp have their last element at 96 to 99 and work; lanes 4 to 31
//   give up, and C[4] to C[31], C[36] to C[63] and C[68] to C[95] are never stored. Right for coarse_factor 1 and
//   for lengths that are multiples of 32 * coarse_factor. A piece of its own for each warp is right, the .toml is.
// want: length is 100 and coarse_factor 4. Which elements belong to lane 4 of the first warp, and how many of them
//   exist?
#include "when_not_to.h"

#define BLOCK_SIZE 256

__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length, int coarse_factor) {
  // each warp has a piece of its own, 32 * coarse_factor elements long
  const int warp = (blockIdx.x * BLOCK_SIZE + threadIdx.x) / 32;
  const int lane = threadIdx.x & 31;

  const int first = warp * 32 * coarse_factor + lane;
  const int last = first + 32 * (coarse_factor - 1);
  if (last >= length) return;  // one test for all of them

  for (int i = first; i <= last; i += 32) {
    C[i] = A[i] + B[i];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int segment = BLOCK_SIZE * coarse_factor;
  when_not_to_kernel<<<(length + segment - 1) / segment, BLOCK_SIZE>>>(A, B, C, length, coarse_factor);
}
