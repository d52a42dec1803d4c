// SPDX-License-Identifier: Apache-2.0
//
// Chapter 6, thread coarsening: the solution. A tree of additions has a price: a barrier in each round, and
// half of the threads idle after the first. Each thread first adds up many elements alone, which needs
// neither. There are only as many blocks as the card runs at once, so the longer the input, the more elements
// one tree serves.

#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8  // elements of a thread in each segment
#define SEGMENT_SIZE (BLOCK_SIZE * COARSE_FACTOR)
#define BLOCKS_PER_MULTIPROCESSOR 6  // enough to keep memory busy; each block more is an atomic addition more

// Adds the sum of every gridDim.x-th segment of the input to *output, beginning with segment blockIdx.x.
__global__ __launch_bounds__(BLOCK_SIZE) void coarsened_reduction_kernel(const float* input, float* output,
                                                                         int length) {
  __shared__ float partial[BLOCK_SIZE];

  const int t = threadIdx.x;
  float sum = 0.0f;
  for (long long first = static_cast<long long>(blockIdx.x) * SEGMENT_SIZE; first < length;
       first += static_cast<long long>(gridDim.x) * SEGMENT_SIZE) {
    // All loads before the first addition: memory then works on all of them at once. A thread's elements are
    // BLOCK_SIZE apart, so in each step the threads of a warp read 32 neighbours, four sectors.
    const int left = static_cast<int>(length - first);
    float element[COARSE_FACTOR];
#pragma unroll
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      const int i = c * BLOCK_SIZE + t;
      element[c] = i < left ? input[first + i] : 0.0f;
    }
#pragma unroll
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      sum += element[c];
    }
  }
  partial[t] = sum;

  // The tree, once a block.
  for (int stride = BLOCK_SIZE / 2; stride > 0; stride /= 2) {
    __syncthreads();  // what the round before wrote is there; all threads come here, also the idle ones
    if (t < stride) {
      partial[t] += partial[t + stride];
    }
  }

  if (t == 0) {
    atomicAdd(output, partial[0]);  // the thread that wrote partial[0] last
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  // Every block adds to *output, so it must hold zero first: as bytes, that is four zeros.
  cudaMemsetAsync(output, 0, sizeof(float));

  int multiprocessors = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  const int segments = length / SEGMENT_SIZE + (length % SEGMENT_SIZE != 0);  // rounded up
  const int blocks = min(segments, multiprocessors * BLOCKS_PER_MULTIPROCESSOR);
  if (blocks > 0) {  // a grid without blocks is an error
    coarsened_reduction_kernel<<<blocks, BLOCK_SIZE>>>(input, output, length);
  }
}
