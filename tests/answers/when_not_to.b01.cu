// SPDX-License-Identifier: Apache-2.0
// mistake: a thread adds coarse_factor neighbouring elements, so that in each step the lanes of a warp are
//   coarse_factor floats apart and touch that many times the sectors; 384 * 4 = 1536 is the answer for this.
// want: which elements do lanes 0, 1 and 2 load in step 0 with factor 4? Let the threads of a block go over its
//   elements side by side, and count the sectors again.
#include "when_not_to.h"

#define BLOCK_SIZE 256

// The chunk of one thread: coarse_factor elements, one after the other.
struct Chunk {
  int begin, end;
};

__device__ Chunk chunk_of(int thread, int length, int coarse_factor) {
  const int begin = thread * coarse_factor;
  return {begin, min(begin + coarse_factor, length)};
}

__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const Chunk chunk = chunk_of(blockIdx.x * BLOCK_SIZE + threadIdx.x, length, coarse_factor);
  for (int i = chunk.begin; i < chunk.end; ++i) {
    C[i] = A[i] + B[i];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int per_block = BLOCK_SIZE * coarse_factor;
  const int blocks = (length + per_block - 1) / per_block;
  when_not_to_kernel<<<blocks, BLOCK_SIZE>>>(A, B, C, length, coarse_factor);
}
