// SPDX-License-Identifier: Apache-2.0
// mistake: Only a cost: no tiles. Each element finds its place by a binary search in the whole other array in
//   global memory: about 17 steps, and more than 30 sectors per 32 elements where both arrays are long. The limit
//   is 16, for long inputs. Values are right.
// want: How many steps does a search in an array of 131,072 elements take, and how many sectors does a warp fetch
//   for its 32 searches? Which part of the other array would the elements of one tile really need?

#include "merge_tiles.h"

// the first element that is not less than x
__device__ int lower_bound(const int* v, int n, int x) {
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (v[mid] < x) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

// the first element that is greater than x
__device__ int upper_bound(const int* v, int n, int x) {
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (v[mid] <= x) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

// Perfectly parallel: one thread per element. Equal elements: those of a first.
__global__ void merge_kernel(const int* a, int na, const int* b, int nb, int* output) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < na) {
    const int x = a[t];
    output[t + lower_bound(b, nb, x)] = x;
  } else if (t < na + nb) {
    const int x = b[t - na];
    output[t - na + upper_bound(a, na, x)] = x;
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length == 0) return;
  merge_kernel<<<(length + 255) / 256, 256>>>(a, a_length, b, b_length, output);
}
