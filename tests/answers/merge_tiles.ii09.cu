// SPDX-License-Identifier: Apache-2.0
// mistake: To make neighbouring lanes store neighbouring elements, the thread stores its k-th element at
//   k * BLOCK_SIZE + threadIdx.x. But its 8 elements belong at 8 neighbouring places, 8 * threadIdx.x + k: the
//   elements are stored in another order, and in the last tile some are not stored at all. Wrong for every length
//   from 2 on (full tiles of equal elements hide it).
// want: Merge {1, 3} and {2, 4} with your kernel. At which place would thread 0 store the 2, and where does it
//   belong? Who has to store, so that both the place is right and lanes are neighbours?

#include "merge_tiles.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

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
  __shared__ int tile[TILE];
  __shared__ int a_range[2];
  const int length = a_length + b_length;
  const int base = blockIdx.x * TILE;
  const int n = min(TILE, length - base);

  if (threadIdx.x < 2) {
    a_range[threadIdx.x] = count_from_a(a, a_length, b, b_length, base + threadIdx.x * n);
  }
  __syncthreads();
  const int na = a_range[1] - a_range[0];
  const int nb = n - na;
  const int* my_a = a + a_range[0];
  const int* my_b = b + (base - a_range[0]);
  for (int k = threadIdx.x; k < na; k += BLOCK_SIZE) tile[k] = my_a[k];
  for (int k = threadIdx.x; k < nb; k += BLOCK_SIZE) tile[na + k] = my_b[k];
  __syncthreads();

  int merged[COARSE_FACTOR];  // registers
  const int begin = min((int)threadIdx.x * COARSE_FACTOR, n);
  int i = count_from_a(tile, na, tile + na, nb, begin);
  int j = begin - i;
#pragma unroll
  for (int k = 0; k < COARSE_FACTOR; ++k) {
    if (i < na && (j >= nb || tile[i] <= tile[na + j])) {
      merged[k] = tile[i++];
    } else if (j < nb) {
      merged[k] = tile[na + j++];
    }
  }

  // coalesced
#pragma unroll
  for (int k = 0; k < COARSE_FACTOR; ++k) {
    const int place = k * BLOCK_SIZE + threadIdx.x;
    if (place < n) output[base + place] = merged[k];
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int tiles = (a_length + b_length + TILE - 1) / TILE;
  if (tiles == 0) return;
  merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
