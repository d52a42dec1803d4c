// SPDX-License-Identifier: Apache-2.0
// mistake: In each warp, one lane should add for all lanes with the same value. The lane is picked with
//   `__ffs(peers) == lane`, but __ffs counts from 1: that is the lane after the first of the group. If that lane
//   has another value, it does not add for this group, and the whole group is lost; a value that only one lane
//   has is never counted. It comes out right where the first two lanes of each group are neighbours, for example
//   when all elements are equal.
// want: What does __ffs return for a mask in which only bit 0 is set, and which lane should add then?

#include "histogram.h"

#define BLOCK_SIZE 256
#define FULL 0xffffffffu

__global__ void histogram_kernel(const int* input, int* counts, int length, int bins) {
  __shared__ int copy[4096];
  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    copy[b] = 0;
  }
  __syncthreads();

  const int lane = threadIdx.x % 32;
  const int warp_start = blockIdx.x * BLOCK_SIZE + threadIdx.x - lane;
  for (int base = warp_start; base < length; base += gridDim.x * BLOCK_SIZE) {
    const int i = base + lane;
    const int value = i < length ? input[i] : -1;
    const unsigned peers = __match_any_sync(FULL, value);
    if (value >= 0 && __ffs(peers) == lane) {
      atomicAdd(&copy[value], __popc(peers));
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
  histogram_kernel<<<32, BLOCK_SIZE>>>(input, counts, length, bins);
}
