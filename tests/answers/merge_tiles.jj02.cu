// SPDX-License-Identifier: Apache-2.0
// mistake: Only a cost: each element finds its place in the tile by counting: it is compared with all elements of
//   the other part, hundreds of them. That is dozens of instructions of a warp per element of output, and the
//   limit is 10 x length, for long inputs. Values, loads and stores are fine.
// want: The other part is in ascending order. How many of its 500 elements must you look at to learn how many are
//   smaller than x? How many does your loop look at?

#include "merge_tiles.h"

constexpr int kThreads = 256;
constexpr int kTile = 1024;

__device__ int co_rank(int k, const int* A, int m, const int* B, int n) {
  int low = max(0, k - n), high = min(k, m);
  while (low < high) {
    int mid = (low + high) >> 1;
    if (A[mid] <= B[k - 1 - mid]) low = mid + 1;
    else high = mid;
  }
  return low;
}

__global__ void merge_kernel(const int* a, int na, const int* b, int nb, int* output) {
  __shared__ int in[kTile];
  __shared__ int out[kTile];
  __shared__ int a0, a1;
  const int first = blockIdx.x * kTile;
  const int last = min(first + kTile, na + nb);
  if (threadIdx.x == 0) a0 = co_rank(first, a, na, b, nb);
  if (threadIdx.x == 1) a1 = co_rank(last, a, na, b, nb);
  __syncthreads();

  const int m = a1 - a0;
  const int n = last - first;
  for (int x = threadIdx.x; x < n; x += kThreads) in[x] = x < m ? a[a0 + x] : b[first - a0 + x - m];
  __syncthreads();

  // place = my index in my own part + the elements of the other part that come before me.
  // No branches, no divergence!
  for (int x = threadIdx.x; x < n; x += kThreads) {
    const int value = in[x];
    int place;
    if (x < m) {
      place = x;
      for (int y = m; y < n; y++) place += in[y] < value;
    } else {
      place = x - m;
      for (int y = 0; y < m; y++) place += in[y] <= value;
    }
    out[place] = value;
  }
  __syncthreads();

  for (int x = threadIdx.x; x < n; x += kThreads) output[first + x] = out[x];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length == 0) return;
  merge_kernel<<<(length + kTile - 1) / kTile, kThreads>>>(a, a_length, b, b_length, output);
}
