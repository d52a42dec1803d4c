// SPDX-License-Identifier: Apache-2.0
// mistake: the first warp adds up 32 entries of warp_sums, but a block has 8 warps: 24 entries were never stored.
// want: How many warps store to warp_sums, and how many entries does the first warp read? What is in the others?
#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8

__device__ float warp_sum(float v) {
  for (int offset = 16; offset > 0; offset /= 2) {
    v += __shfl_down_sync(0xffffffffu, v, offset);
  }
  return v;  // lane 0 has it
}

__global__ void reduce(const float* input, float* output, int length) {
  __shared__ float warp_sums[32];

  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;

  // 8 elements a thread
  float v = 0.0f;
  int i = blockIdx.x * (BLOCK_SIZE * COARSE_FACTOR) + threadIdx.x;
  for (int step = 0; step < COARSE_FACTOR; ++step) {
    if (i < length) v += input[i];
    i += BLOCK_SIZE;
  }

  v = warp_sum(v);
  if (lane == 0) warp_sums[warp] = v;
  __syncthreads();

  if (warp == 0) {
    v = warp_sum(warp_sums[lane]);
    if (lane == 0) atomicAdd(output, v);
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  cudaMemset(output, 0, sizeof(float));
  if (length == 0) return;

  const int elements = BLOCK_SIZE * COARSE_FACTOR;
  reduce<<<(length + elements - 1) / elements, BLOCK_SIZE>>>(input, output, length);
}
