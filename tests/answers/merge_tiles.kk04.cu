// SPDX-License-Identifier: Apache-2.0
// mistake: Every element searches the whole other array in global memory for its place. For a long input whose parts
//   are about equally long that is 17 or more loads per element, each with a sector or more per warp, on top of the
//   element's own: more than 16 sectors per 32 elements. Values are right. Shared memory is not used at all.
// want: How many loads does one binary search in 131,072 elements need? How many searches does a tile need if its
//   elements are in shared memory first?

#include "merge_tiles.h"

// Rank of x in p. With `equal`, elements equal to x count, too.
__device__ int rank_of(int x, const int* __restrict__ p, int n, bool equal) {
  int low = 0;
  int high = n;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    const int value = p[middle];
    if (value < x || (equal && value == x)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// One thread per element of input. Its place in output: its own index plus its rank in the other array.
__global__ void merge_by_rank(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < a_length) {
    const int x = a[k];
    output[k + rank_of(x, b, b_length, false)] = x;  // equal elements of b come after x
  } else if (k < a_length + b_length) {
    const int j = k - a_length;
    const int x = b[j];
    output[j + rank_of(x, a, a_length, true)] = x;  // equal elements of a come before x
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  const int blocks = (length + 255) / 256;
  if (blocks != 0) {
    merge_by_rank<<<blocks, 256>>>(a, a_length, b, b_length, output);
  }
}
