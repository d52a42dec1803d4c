// SPDX-License-Identifier: Apache-2.0
// mistake: __match_any_sync is called with the full mask in a loop that the lanes of a warp leave at different times.
//   In the last steps of an input whose length is no multiple of 32, some lanes wait in it for lanes that have left
//   the loop: undefined, on a real GPU it can hang or lose elements. Right for multiples of 32 with an even number of
//   bins or up to 512.
// want: Take length 40. Which lanes of warp 1 call __match_any_sync, and which lanes does your mask name?

#include "histogram.h"

#define BLOCK_SIZE 256

// Many equal elements would make the atomics wait for each other. So the lanes of a warp with the same value first
// find each other, and only one of them adds for all.
__global__ void histogram_kernel(const int* input, int* counts, int length, int bins, int chunk) {
  __shared__ int copy[4096];
  const int lane = threadIdx.x % 32;

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    copy[b] = 0;
  }
  __syncthreads();

  const int begin = blockIdx.x * chunk;
  const int end = min(begin + chunk, length);
  for (int i = begin + threadIdx.x; i < end; i += BLOCK_SIZE) {
    const int value = input[i];
    const unsigned int same = __match_any_sync(0xffffffff, value);
    const int leader = __ffs(same) - 1;
    if (lane == leader) {
      atomicAdd(&copy[value], __popc(same));
    }
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    if (copy[b] != 0) {
      atomicAdd(&counts[b], copy[b]);
    }
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));
  if (length <= 0) {
    return;
  }
  const int chunk = bins > 512 ? 16 * bins : 8192;
  histogram_kernel<<<(length + chunk - 1) / chunk, BLOCK_SIZE>>>(input, counts, length, bins, chunk);
}
