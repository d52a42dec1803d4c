// SPDX-License-Identifier: Apache-2.0
// mistake: The tile in shared memory has unsigned elements. There, a negative int becomes a large number: within a
//   tile, the merge takes negative elements after the others. The tiles themselves are cut by int, and rightly. Wrong
//   if a tile has both negative elements and others; right without negative ones.
// want: What is -1 as an unsigned int, and is it less than 5? Which type do the elements have, and which one your
//   tile?

#include "merge_tiles.h"

typedef unsigned int uint;

const uint THREADS = 256;
const uint ITEMS = 8;
const uint TILE = THREADS * ITEMS;

template <typename T>
__device__ uint split(const T* a, uint na, const T* b, uint nb, uint diagonal) {
  uint low = diagonal > nb ? diagonal - nb : 0;
  uint high = diagonal < na ? diagonal : na;
  while (low < high) {
    uint middle = (low + high) / 2;
    if (a[middle] <= b[diagonal - 1 - middle]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

__global__ void merge(const int* a, uint na, const int* b, uint nb, int* output) {
  __shared__ uint tile[TILE];
  __shared__ uint merged[TILE];
  __shared__ uint cut[2];
  const uint begin = blockIdx.x * TILE;
  const uint end = min(begin + TILE, na + nb);
  if (threadIdx.x < 2) {
    cut[threadIdx.x] = split(a, na, b, nb, threadIdx.x == 0 ? begin : end);
  }
  __syncthreads();

  const uint ta = cut[1] - cut[0];      // elements of a in this tile
  const uint tb = (end - begin) - ta;   // elements of b
  for (uint k = threadIdx.x; k < ta; k += THREADS) tile[k] = a[cut[0] + k];
  for (uint k = threadIdx.x; k < tb; k += THREADS) tile[ta + k] = b[begin - cut[0] + k];
  __syncthreads();

  const uint first = threadIdx.x * ITEMS;
  if (first < ta + tb) {
    const uint* from_a = tile;
    const uint* from_b = tile + ta;
    uint i = split(from_a, ta, from_b, tb, first);
    uint j = first - i;
    for (uint k = first; k < min(first + ITEMS, ta + tb); ++k) {
      if (i < ta && (j >= tb || from_a[i] <= from_b[j])) {
        merged[k] = from_a[i++];
      } else {
        merged[k] = from_b[j++];
      }
    }
  }
  __syncthreads();
  for (uint k = threadIdx.x; k < ta + tb; k += THREADS) output[begin + k] = merged[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const uint length = a_length + b_length;  // never negative
  if (length > 0) {
    merge<<<(length + TILE - 1) / TILE, THREADS>>>(a, a_length, b, b_length, output);
  }
}
