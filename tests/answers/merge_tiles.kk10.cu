// SPDX-License-Identifier: Apache-2.0
// mistake: The tile is in shared memory, but each thread still searches for its start in a and b in global memory. In
//   each of about 17 steps, the lanes load from 32 places in each array, far more than 16 sectors per 32 elements of
//   output for a long input whose parts are about equally long. Values are right.
// want: How many searches in global memory does your block do? Which elements can a thread's start be among, and
//   where are these when the block has loaded its tile?

#include "merge_tiles.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

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
  __shared__ int tile_a[TILE], tile_b[TILE];
  __shared__ int starts[BLOCK_SIZE + 1];  // how many elements come from a before each thread
  __shared__ int merged[TILE];

  const int length = a_length + b_length;
  const int block_begin = blockIdx.x * TILE;
  const int begin = min(block_begin + (int)threadIdx.x * COARSE_FACTOR, length);
  const int end = min(begin + COARSE_FACTOR, length);

  // every thread finds its start; the last one also finds where the tile ends
  starts[threadIdx.x] = count_from_a(a, a_length, b, b_length, begin);
  if (threadIdx.x == BLOCK_SIZE - 1) {
    starts[BLOCK_SIZE] = count_from_a(a, a_length, b, b_length, end);
  }
  __syncthreads();

  const int n = min(TILE, length - block_begin);
  const int a_begin = starts[0], a_end = starts[BLOCK_SIZE];
  const int b_begin = block_begin - a_begin, b_end = block_begin + n - a_end;
  for (int k = threadIdx.x; k < a_end - a_begin; k += BLOCK_SIZE) tile_a[k] = a[a_begin + k];
  for (int k = threadIdx.x; k < b_end - b_begin; k += BLOCK_SIZE) tile_b[k] = b[b_begin + k];
  __syncthreads();

  int i = starts[threadIdx.x];
  int j = begin - i;
  for (int k = begin; k < end; ++k) {
    if (j >= b_end || (i < a_end && tile_a[i - a_begin] <= tile_b[j - b_begin])) {
      merged[k - block_begin] = tile_a[i - a_begin];
      ++i;
    } else {
      merged[k - block_begin] = tile_b[j - b_begin];
      ++j;
    }
  }
  __syncthreads();

  for (int k = threadIdx.x; k < n; k += BLOCK_SIZE) {
    output[block_begin + k] = merged[k];
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int tiles = (a_length + b_length + TILE - 1) / TILE;
  if (tiles > 0) {
    merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
  }
}
