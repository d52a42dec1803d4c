// SPDX-License-Identifier: Apache-2.0
// mistake: The merged elements go from registers back into the same shared array that other threads still search and
//   merge from. A barrier before that store is missing: a slower thread may read elements that are overwritten
//   already. A race for more than 8 elements; in practice it needs two warps (more than 256 elements).
// want: When thread 0 stores its 8 elements to tile[0] to tile[7], may thread 100 still read tile[5]? What must all
//   threads have finished?

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
  __shared__ int tile[TILE];  // first a's part, then b's; later the result
  __shared__ int a_first, a_last;

  const int length = a_length + b_length;
  const int first = blockIdx.x * TILE;
  const int last = min(first + TILE, length);
  if (threadIdx.x == 0) {
    a_first = count_from_a(a, a_length, b, b_length, first);
    a_last = count_from_a(a, a_length, b, b_length, last);
  }
  __syncthreads();

  const int na = a_last - a_first;
  const int nb = last - first - na;
  for (int k = threadIdx.x; k < na; k += blockDim.x) tile[k] = a[a_first + k];
  for (int k = threadIdx.x; k < nb; k += blockDim.x) tile[na + k] = b[first - a_first + k];
  __syncthreads();

  const int begin = min((int)threadIdx.x * COARSE_FACTOR, na + nb);
  int i = count_from_a(tile, na, tile + na, nb, begin);
  int j = begin - i;
  int mine[COARSE_FACTOR];
#pragma unroll
  for (int k = 0; k < COARSE_FACTOR; ++k) {
    if (begin + k < na + nb) {
      mine[k] = j >= nb || (i < na && tile[i] <= tile[na + j]) ? tile[i++] : tile[na + j++];
    }
  }

  // everything is in registers now, so the tile is free for the result
#pragma unroll
  for (int k = 0; k < COARSE_FACTOR; ++k) {
    if (begin + k < na + nb) tile[begin + k] = mine[k];
  }
  __syncthreads();

  for (int k = threadIdx.x; k < na + nb; k += blockDim.x) output[first + k] = tile[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int tiles = (a_length + b_length + TILE - 1) / TILE;
  if (tiles == 0) return;
  merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
