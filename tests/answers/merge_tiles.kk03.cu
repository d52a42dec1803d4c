// SPDX-License-Identifier: Apache-2.0
// mistake: A block takes 1024 elements of a, and all elements of b that lie between. It hopes for about 1024 of
//   these, and has room for 3072. If more fall into one block (a short or empty, b much longer, or elements bunched),
//   it stores outside its shared array. Right if a and b are equally long and evenly mixed.
// want: a has one element, b has 100,000. How many elements of b does your block load? Could one cut the output into
//   tiles instead, so that a block always has TILE elements?

#include "merge_tiles.h"

#define BLOCK_SIZE 256
#define A_TILE 1024
#define B_TILE (3 * A_TILE)  // usually about A_TILE; room for three times as many to be safe

// number of elements less than x
__device__ int lower_bound(const int* p, int n, int x) {
  int low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (p[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

// number of elements less than or equal to x
__device__ int upper_bound(const int* p, int n, int x) {
  int low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (p[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}

__global__ void merge_kernel(const int* a, int a_length, const int* b, int b_length, int* output) {
  __shared__ int sa[A_TILE];
  __shared__ int sb[B_TILE];
  __shared__ int b_begin, b_end;

  const int a_begin = blockIdx.x * A_TILE;
  const int a_end = min(a_begin + A_TILE, a_length);
  const bool last = blockIdx.x == gridDim.x - 1;
  if (threadIdx.x == 0) {
    b_begin = blockIdx.x == 0 ? 0 : lower_bound(b, b_length, a[a_begin]);
    b_end = last ? b_length : lower_bound(b, b_length, a[a_end]);
  }
  __syncthreads();

  const int na = a_end - a_begin, nb = b_end - b_begin;
  for (int k = threadIdx.x; k < na; k += BLOCK_SIZE) sa[k] = a[a_begin + k];
  for (int k = threadIdx.x; k < nb; k += BLOCK_SIZE) sb[k] = b[b_begin + k];
  __syncthreads();

  // each element finds its own place
  const int out = a_begin + b_begin;
  for (int k = threadIdx.x; k < na; k += BLOCK_SIZE) output[out + k + lower_bound(sb, nb, sa[k])] = sa[k];
  for (int k = threadIdx.x; k < nb; k += BLOCK_SIZE) output[out + k + upper_bound(sa, na, sb[k])] = sb[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  int blocks = (a_length + A_TILE - 1) / A_TILE;
  if (blocks == 0) blocks = 1;  // b alone
  merge_kernel<<<blocks, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
