// SPDX-License-Identifier: Apache-2.0
// mistake: A sentinel of 1,000,000,000 stands behind the elements of a and of b in shared memory, to save the tests for
//   the end. Elements are ints and may be larger: when one array of the tile is used up, the sentinel counts as smaller
//   than such elements of the other one and gets into the output, and then whatever lies behind it. Shows for
//   inputs with elements of 1,000,000,000 or more.
// want: Which values may an element have? Take a tile in which a is used up, and b's next element is 2,000,000,000:
//   which value do you store?

#include "merge_tiles.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define TILE (BLOCK_SIZE * COARSE_FACTOR)
#define INF 1000000000

// How many of the first `taken` elements of the output come from a? The others come from b. If a[middle] <=
// b[taken - 1 - middle], then a[middle] comes before that element of b, so at least middle + 1 come from a.
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
  __shared__ int sa[TILE + 1];
  __shared__ int sb[TILE + 1];
  __shared__ int lo, hi;

  const int tid = threadIdx.x;
  const int l = blockIdx.x * TILE;
  const int r = min(l + TILE, a_length + b_length);
  if (tid == 0) lo = count_from_a(a, a_length, b, b_length, l);
  if (tid == 1) hi = count_from_a(a, a_length, b, b_length, r);
  __syncthreads();

  const int n = hi - lo;
  const int m = (r - l) - n;
  for (int k = tid; k < n; k += BLOCK_SIZE) sa[k] = a[lo + k];
  for (int k = tid; k < m; k += BLOCK_SIZE) sb[k] = b[l - lo + k];
  if (tid == 0) {
    sa[n] = INF;
    sb[m] = INF;
  }
  __syncthreads();

  const int first = min(tid * COARSE_FACTOR, r - l);
  const int last = min(first + COARSE_FACTOR, r - l);
  int i = count_from_a(sa, n, sb, m, first);
  int j = first - i;
  int res[COARSE_FACTOR];
  for (int k = 0; k < last - first; ++k) {
    res[k] = sa[i] <= sb[j] ? sa[i++] : sb[j++];  // the INFs stop us at the end
  }
  __syncthreads();
  for (int k = 0; k < last - first; ++k) sa[first + k] = res[k];
  __syncthreads();
  for (int k = tid; k < r - l; k += BLOCK_SIZE) output[l + k] = sa[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int total = a_length + b_length;
  if (!total) return;
  merge_kernel<<<(total + TILE - 1) / TILE, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
