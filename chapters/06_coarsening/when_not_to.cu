// SPDX-License-Identifier: Apache-2.0
//
// Chapter 6, when not to coarsen. Coarsen this vector addition by the factor that the caller passes, and
// see in the report whether that helps. Three places are marked TODO. Then answer the questions in
// when_not_to.toml; they are graded too.
//
//   ./warplings check when_not_to

#include "when_not_to.h"

#define BLOCK_SIZE 256

__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length, int coarse_factor) {
  // TODO 1: at which element does this block begin if each of its threads computes coarse_factor
  // elements of C?
  const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;

  // TODO 2: compute this thread's other elements. In each step, a warp should load neighbouring elements.
  if (i < length) {
    C[i] = A[i] + B[i];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  // TODO 3: how many blocks are needed if each computes BLOCK_SIZE * coarse_factor elements of C?
  const int blocks = length / BLOCK_SIZE;
  when_not_to_kernel<<<blocks, BLOCK_SIZE>>>(A, B, C, length, coarse_factor);
}
