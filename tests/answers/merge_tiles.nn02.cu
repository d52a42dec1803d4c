// SPDX-License-Identifier: Apache-2.0
// mistake: The part of b is taken to begin where the tile does, at the part of a.
// want: -47,921 is missing and 697,569 is there twice: the comparison reads two elements of a. The
//   part of b begins at tile + a_count.

#include "merge_tiles.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

// How many of the first `taken` elements of the output come from a? The others come from b. If a[middle] <=
// b[taken - 1 - middle], a[middle] comes before that element of b. Without a[middle], b would have to supply
// that element, so at least middle + 1 come from a.
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
  __shared__ int tile[TILE];
  __shared__ int split[2];
  const int length = a_length + b_length;
  const int first = blockIdx.x * TILE;
  const int last = min(first + TILE, length);
  if (threadIdx.x < 2) {
    split[threadIdx.x] = count_from_a(a, a_length, b, b_length, threadIdx.x == 0 ? first : last);
  }
  __syncthreads();
  const int a_first = split[0];
  const int a_count = split[1] - split[0];
  const int b_first = first - a_first;
  const int b_count = (last - first) - a_count;
  for (int k = threadIdx.x; k < a_count; k += blockDim.x) tile[k] = a[a_first + k];
  for (int k = threadIdx.x; k < b_count; k += blockDim.x) tile[a_count + k] = b[b_first + k];
  __syncthreads();

  const int begin = min((int)threadIdx.x * COARSE_FACTOR, last - first);
  const int end = min(begin + COARSE_FACTOR, last - first);
  const int* ta = tile;
  const int* tb = tile;
  int i = count_from_a(ta, a_count, tb, b_count, begin);
  int j = begin - i;
  int mine[COARSE_FACTOR];
  for (int k = begin; k < end; ++k) {
    mine[k - begin] = j >= b_count || (i < a_count && ta[i] <= tb[j]) ? ta[i++] : tb[j++];
  }
  __syncthreads();
  for (int k = begin; k < end; ++k) tile[k] = mine[k - begin];
  __syncthreads();
  for (int k = threadIdx.x; k < last - first; k += blockDim.x) output[first + k] = tile[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  // TODO 4: a launch of 0 blocks is an error: when would that happen?
  const int tiles = (a_length + b_length + TILE - 1) / TILE;
  if (tiles == 0) return;
  merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
