// SPDX-License-Identifier: Apache-2.0
// mistake: The search was simplified to begin at 0 instead of max(0, taken - b_length). Where taken is more than
//   b_length, taken - 1 - middle may be an element behind the end of b: it is read, and if it is small, too few
//   elements are said to come from a. Shows where b is shorter than the output before the tile or thread, at the
//   latest with an empty b.
// want: a has 5 elements, b none. Which element of b does the search compare with for taken = 5? How many of the
//   first `taken` elements must come from a, however small those of b are?

#include "merge_tiles.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

// binary search: between 0 and taken elements come from a
__device__ int search(const int* a, int a_length, const int* b, int taken) {
  int low = 0;
  int high = min(taken, a_length);
  while (low < high) {
    const int middle = (low + high) / 2;
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
  __shared__ int merged[TILE];
  __shared__ int from_a[2];
  const int start = blockIdx.x * TILE;
  const int n = min(TILE, a_length + b_length - start);

  if (threadIdx.x == 0) from_a[0] = search(a, a_length, b, start);
  if (threadIdx.x == 1) from_a[1] = search(a, a_length, b, start + n);
  __syncthreads();
  const int a_start = from_a[0];
  const int a_n = from_a[1] - from_a[0];
  const int b_start = start - a_start;
  const int b_n = n - a_n;

  for (int k = threadIdx.x; k < a_n; k += BLOCK_SIZE) tile[k] = a[a_start + k];
  for (int k = threadIdx.x; k < b_n; k += BLOCK_SIZE) tile[a_n + k] = b[b_start + k];
  __syncthreads();

  const int begin = min((int)threadIdx.x * COARSE_FACTOR, n);
  int i = search(tile, a_n, tile + a_n, begin);
  int j = begin - i;
  for (int k = begin; k < min(begin + COARSE_FACTOR, n); ++k) {
    merged[k] = j >= b_n || (i < a_n && tile[i] <= tile[a_n + j]) ? tile[i++] : tile[a_n + j++];
  }
  __syncthreads();
  for (int k = threadIdx.x; k < n; k += BLOCK_SIZE) output[start + k] = merged[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int tiles = (a_length + b_length + TILE - 1) / TILE;
  if (tiles == 0) return;
  merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
