// SPDX-License-Identifier: Apache-2.0
// mistake: A sentinel INT_MAX after each part saves the tests for its end. But INT_MAX may be an element: where
//   the part of a is used up and b has INT_MAX, INT_MAX <= INT_MAX takes the sentinel of a, and then i points
//   behind it, at the first element of b, which is stored a second time. Shows where one thread merges two or
//   more elements INT_MAX of b after the last one of a.
// want: Which values may elements have? Merge a = {1} and b = {5, INT_MAX, INT_MAX} with your loop: what are i and
//   j after each step?

#include "merge_tiles.h"

#include <climits>

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

// merge path: where does diagonal `d` cross the path?
template <typename Pointer>
__device__ __forceinline__ int merge_path(Pointer a, int na, Pointer b, int nb, int d) {
  int lo = d > nb ? d - nb : 0;
  int hi = d < na ? d : na;
  while (lo < hi) {
    const int mid = (lo + hi) / 2;
    const bool a_first = a[mid] <= b[d - 1 - mid];
    lo = a_first ? mid + 1 : lo;
    hi = a_first ? hi : mid;
  }
  return lo;
}

__global__ void merge_kernel(const int* a, int a_length, const int* b, int b_length, int* output) {
  __shared__ int tile[TILE + 2];
  __shared__ int bounds[2];
  const int length = a_length + b_length;
  const int d0 = blockIdx.x * TILE;
  const int d1 = min(d0 + TILE, length);
  if (threadIdx.x < 2) bounds[threadIdx.x] = merge_path(a, a_length, b, b_length, threadIdx.x == 0 ? d0 : d1);
  __syncthreads();

  const int a0 = bounds[0], na = bounds[1] - a0;
  const int b0 = d0 - a0, nb = d1 - d0 - na;
  int* sa = tile;
  int* sb = tile + na + 1;
  for (int k = threadIdx.x; k < na; k += BLOCK_SIZE) sa[k] = a[a0 + k];
  for (int k = threadIdx.x; k < nb; k += BLOCK_SIZE) sb[k] = b[b0 + k];
  if (threadIdx.x == 0) {
    sa[na] = INT_MAX;  // sentinels: nothing is larger
    sb[nb] = INT_MAX;
  }
  __syncthreads();

  const int begin = min((int)threadIdx.x * COARSE_FACTOR, na + nb);
  const int count = min(COARSE_FACTOR, na + nb - begin);
  int i = merge_path(sa, na, sb, nb, begin);
  int j = begin - i;
  int merged[COARSE_FACTOR];
  for (int k = 0; k < count; ++k) {
    const int x = sa[i];
    const int y = sb[j];
    const bool a_first = x <= y;
    merged[k] = a_first ? x : y;
    i += a_first;
    j += !a_first;
  }
  __syncthreads();
  for (int k = 0; k < count; ++k) tile[begin + k] = merged[k];
  __syncthreads();
  for (int k = threadIdx.x; k < d1 - d0; k += BLOCK_SIZE) output[d0 + k] = tile[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int tiles = (a_length + b_length + TILE - 1) / TILE;
  if (tiles == 0) return;
  merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
