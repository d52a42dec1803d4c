// SPDX-License-Identifier: Apache-2.0
// mistake: INT_MAX stands behind each part in shared memory, so that the merge loop needs no test for the end. But
//   INT_MAX is an int like others: if a's part is used up and b still has two or more INT_MAX for this thread, the
//   sentinel counts as an element of a, and the next one is what lies behind it, the start of b. Right without
//   INT_MAX.
// want: Merge a = {1} with b = {2, INT_MAX, INT_MAX, INT_MAX} by hand. Which elements of the tile does i point to?
//   Which values may the elements have by the contract?

#include <climits>

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
  __shared__ int tile[TILE + 2];  // part of a, INT_MAX, part of b, INT_MAX
  __shared__ int merged[TILE];
  __shared__ int split[2];
  const int length = a_length + b_length;
  const int tile_begin = blockIdx.x * TILE;
  const int tile_length = min(TILE, length - tile_begin);

  if (threadIdx.x < 2) {
    split[threadIdx.x] = count_from_a(a, a_length, b, b_length, tile_begin + threadIdx.x * tile_length);
  }
  __syncthreads();

  const int a_begin = split[0], na = split[1] - split[0];
  const int b_begin = tile_begin - a_begin, nb = tile_length - na;
  int* tile_a = tile;
  int* tile_b = tile + na + 1;
  for (int k = threadIdx.x; k < na; k += BLOCK_SIZE) tile_a[k] = a[a_begin + k];
  for (int k = threadIdx.x; k < nb; k += BLOCK_SIZE) tile_b[k] = b[b_begin + k];
  if (threadIdx.x == 0) {
    tile_a[na] = INT_MAX;  // never smaller than the other side
    tile_b[nb] = INT_MAX;
  }
  __syncthreads();

  const int begin = min((int)threadIdx.x * COARSE_FACTOR, tile_length);
  const int end = min(begin + COARSE_FACTOR, tile_length);
  int i = count_from_a(tile_a, na, tile_b, nb, begin);
  int j = begin - i;
  for (int k = begin; k < end; ++k) {
    merged[k] = tile_a[i] <= tile_b[j] ? tile_a[i++] : tile_b[j++];
  }
  __syncthreads();
  for (int k = threadIdx.x; k < tile_length; k += BLOCK_SIZE) output[tile_begin + k] = merged[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int tiles = (a_length + b_length + TILE - 1) / TILE;
  if (tiles > 0) merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
