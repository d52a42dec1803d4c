// SPDX-License-Identifier: Apache-2.0
// mistake: lanes that have no element at all return before the shuffles, whose mask names all 32 lanes. What the others get
//   from a lane that has left is undefined. length = 5: lanes 5 to 31 are gone, and lane 0 adds in turn what lanes 16, 8,
//   4, 2, 1 have, the first two of which are nobody. Right where the last warp has at least 32 elements or none, as when
//   length is a multiple of 32. One atomic for 256 elements is what the contract allows; no barrier is needed.
// want: There are 5 elements. Which lanes take part in the shuffles, and which does the mask promise?
#include "coarsened_reduction.h"

#define BLOCK_SIZE 128
#define COARSE_FACTOR 8
#define PER_WARP (32 * COARSE_FACTOR)

// Each warp on its own: 256 elements, eight for a lane.
__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  const int lane = threadIdx.x % 32;
  const int warp = (blockIdx.x * BLOCK_SIZE + threadIdx.x) / 32;

  const int first = warp * PER_WARP + lane;
  if (first >= length) return;

  float sum = input[first];
#pragma unroll
  for (int k = 1; k < COARSE_FACTOR; ++k) {
    const int i = first + 32 * k;
    if (i < length) sum += input[i];
  }

#pragma unroll
  for (int delta = 16; delta > 0; delta >>= 1) {
    sum += __shfl_down_sync(0xffffffffu, sum, delta);
  }
  if (lane == 0) atomicAdd(output, sum);
}

void coarsened_reduction(const float* input, float* output, int length) {
  cudaMemset(output, 0, sizeof(float));

  const int segment = BLOCK_SIZE * COARSE_FACTOR;
  const int blocks = length / segment + (length % segment != 0);
  if (blocks > 0) {
    coarsened_reduction_kernel<<<blocks, BLOCK_SIZE>>>(input, output, length);
  }
}
