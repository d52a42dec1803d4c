// SPDX-License-Identifier: Apache-2.0
//
// Chapter 7, where coarsening recurs: the solution. Additions in global memory are slow, and threads that
// count in one bin at the same time wait for each other. Two ideas:
//
//   private copies   a block counts in shared memory, in up to 32 copies of each bin. With 32 copies, two
//   lanes
//                    of a warp never use the same counter or the same bank, even if all elements are equal.
//   coarsening       there are at most as many blocks as multiprocessors. Each counts a large part of the
//   input,
//                    and adds its counts to the result only once.

#include "histogram.h"

#define THREADS 1024
#define BLOCKS_PER_MULTIPROCESSOR 1
#define COARSE_FACTOR 16     // elements that a thread loads before it counts them
#define ELEMENTS_PER_BIN 16  // that a block counts at least, since it adds each bin to the result at the end
#define COUNTERS 8192        // of a block, in 32 KB of shared memory: 32 copies of 256 bins
#define TILE (THREADS * COARSE_FACTOR)

// The copies of bin b are counters[b * copies] to counters[b * copies + copies - 1]. copies is a power of
// two; if it is 32, each lane always uses the same bank.
__global__ __launch_bounds__(THREADS) void histogram_kernel(const int* input, int* counts, int length,
                                                            int bins, int copies) {
  __shared__ int counters[COUNTERS];
  for (int i = threadIdx.x; i < bins * copies; i += THREADS) counters[i] = 0;
  __syncthreads();

  int* const my_copy = counters + threadIdx.x % copies;
  for (long long tile = blockIdx.x; tile * TILE < length; tile += gridDim.x) {
    const int* const first = input + tile * TILE;
    const int left = static_cast<int>(length - tile * TILE);
    // All loads come before the first count, so that memory works on all of them at the same time.
    int bin[COARSE_FACTOR];
#pragma unroll
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      const int i = c * THREADS + threadIdx.x;
      bin[c] = i < left ? first[i] : -1;
    }
#pragma unroll
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      if (bin[c] >= 0) atomicAdd(my_copy + bin[c] * copies, 1);
    }
  }
  __syncthreads();

  // Add up the copies. If all lanes began with copy 0, there would be bank conflicts, so each begins with
  // another one.
  for (int b = threadIdx.x; b < bins; b += THREADS) {
    int sum = 0;
    for (int c = 0; c < copies; ++c) {
      sum += counters[b * copies + (c + b * copies / 32) % copies];
    }
    if (sum != 0) atomicAdd(&counts[b], sum);
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemsetAsync(counts, 0, bins * sizeof(int));
  if (length == 0) return;

  int copies = 32;
  while (bins * copies > COUNTERS) copies /= 2;

  int multiprocessors = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  const int tiles = (length - 1) / TILE + 1;
  const int worthwhile = length / (ELEMENTS_PER_BIN * bins) + 1;
  const int blocks = min(min(tiles, worthwhile), multiprocessors * BLOCKS_PER_MULTIPROCESSOR);
  histogram_kernel<<<blocks, THREADS>>>(input, counts, length, bins, copies);
}
