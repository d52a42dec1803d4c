// SPDX-License-Identifier: Apache-2.0
// mistake: Output is set to 0 by block 0 of the same kernel whose blocks add to it. Blocks have no order: what another block added
//   before block 0 stores its zero is lost, and a block that comes earlier may add to the old content. Shows with two
//   blocks, from 4097 elements on; 4096 and fewer are right.
// want: Who says that block 0 stores its zero before block 1 adds its sum? What is in *output if block 1 is first?
#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define WARPS (BLOCK_SIZE / 32)
#define COARSE_FACTOR 16

__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  __shared__ float partial[BLOCK_SIZE];

  const int t = threadIdx.x;
  if (blockIdx.x == 0 && t == 0) {
    *output = 0.0f;  // saves the memset
  }

  // Each warp has a piece of its own, 32 * COARSE_FACTOR elements in a row.
  const int warp = blockIdx.x * WARPS + t / 32;
  const int begin = warp * 32 * COARSE_FACTOR + t % 32;
  float sum = 0.0f;
  for (int step = 0; step < COARSE_FACTOR; ++step) {
    const int i = begin + step * 32;
    if (i < length) sum += input[i];
  }
  partial[t] = sum;

  for (int stride = BLOCK_SIZE / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) {
      partial[t] += partial[t + stride];
    }
  }

  if (t == 0) {
    atomicAdd(output, partial[0]);
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  const int segment = BLOCK_SIZE * COARSE_FACTOR;
  int blocks = (length + segment - 1) / segment;
  if (blocks == 0) blocks = 1;  // somebody has to write the 0
  coarsened_reduction_kernel<<<blocks, BLOCK_SIZE>>>(input, output, length);
}
