// SPDX-License-Identifier: Apache-2.0
// mistake: Only a cost: the tile is loaded and stored by all threads, but thread 0 alone merges its 2048 elements.
//   Its warp executes about 15 instructions for every element, with one lane at work: above 10 x length, for long
//   inputs where a and b are mixed (and the other 255 threads wait). Values, loads and stores are fine.
// want: How many instructions does the merge loop need per element, and how many lanes work on each? How can 32
//   lanes merge different parts of the tile at the same time?

#include "merge_tiles.h"

#define BLOCK_SIZE 256
#define TILE 2048

// How many of the first `taken` elements of the output come from a?
__device__ int count_from_a(const int* a, int a_length, const int* b, int b_length, int taken) {
  int low = max(0, taken - b_length);
  int high = min(taken, a_length);
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (a[middle] <= b[taken - 1 - middle]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

__global__ void merge_kernel(const int* a, int a_length, const int* b, int b_length, int* output) {
  __shared__ int in[TILE];
  __shared__ int out[TILE];
  __shared__ int a_first, a_last;

  const int start = blockIdx.x * TILE;
  const int stop = min(start + TILE, a_length + b_length);
  if (threadIdx.x == 0) {
    a_first = count_from_a(a, a_length, b, b_length, start);
    a_last = count_from_a(a, a_length, b, b_length, stop);
  }
  __syncthreads();

  const int na = a_last - a_first;
  const int nb = (stop - a_last) - (start - a_first);
  for (int k = threadIdx.x; k < na; k += BLOCK_SIZE) in[k] = a[a_first + k];
  for (int k = threadIdx.x; k < nb; k += BLOCK_SIZE) in[na + k] = b[start - a_first + k];
  __syncthreads();

  // shared memory is fast, so a normal merge is good enough here
  if (threadIdx.x == 0) {
    int i = 0;
    int j = 0;
    for (int k = 0; k < na + nb; ++k) {
      if (j >= nb || (i < na && in[i] <= in[na + j])) {
        out[k] = in[i];
        i = i + 1;
      } else {
        out[k] = in[na + j];
        j = j + 1;
      }
    }
  }
  __syncthreads();

  for (int k = threadIdx.x; k < na + nb; k += BLOCK_SIZE) output[start + k] = out[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length > 0) {
    merge_kernel<<<(length + TILE - 1) / TILE, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
  }
}
