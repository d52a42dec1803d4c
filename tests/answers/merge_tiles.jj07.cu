// SPDX-License-Identifier: Apache-2.0
// mistake: Blocks draw the number of their tile from a counter in device memory. It is 0 when the program starts,
//   and nobody sets it back: in the second call the blocks draw numbers behind the last tile of the first call,
//   and output is not written, or only from there on. The first call is right.
// want: Call merge_tiles twice. Which number does the first block of the second call draw? Who could set the
//   counter to 0, and when?

#include "merge_tiles.h"

constexpr int kThreads = 256;
constexpr int kPerThread = 8;
constexpr int kTile = kThreads * kPerThread;

__device__ int next_tile = 0;

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

__global__ void merge_kernel(const int* a, int na, const int* b, int nb, int* output) {
  __shared__ int in[kTile];
  __shared__ int out[kTile];
  __shared__ int tile, a_begin, a_end;

  if (threadIdx.x == 0) {
    // blocks may start in any order: take tiles in ascending order
    tile = atomicAdd(&next_tile, 1) * kTile;
    if (tile < na + nb) {
      a_begin = merge_path(a, na, b, nb, tile);
      a_end = merge_path(a, na, b, nb, min(tile + kTile, na + nb));
    }
  }
  __syncthreads();
  if (tile >= na + nb) return;  // all threads of the block

  const int n = min(kTile, na + nb - tile);
  const int n_a = a_end - a_begin;
  const int b_begin = tile - a_begin;
  for (int k = threadIdx.x; k < n; k += kThreads) in[k] = k < n_a ? a[a_begin + k] : b[b_begin + k - n_a];
  __syncthreads();

  const int begin = min((int)threadIdx.x * kPerThread, n);
  const int end = min(begin + kPerThread, n);
  int i = merge_path(in, n_a, in + n_a, n - n_a, begin);
  int j = n_a + begin - i;
  for (int k = begin; k < end; ++k) {
    const bool from_a = i < n_a && (j >= n || in[i] <= in[j]);
    out[k] = from_a ? in[i++] : in[j++];
  }
  __syncthreads();
  for (int k = threadIdx.x; k < n; k += kThreads) output[tile + k] = out[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length == 0) return;
  merge_kernel<<<(length + kTile - 1) / kTile, kThreads>>>(a, a_length, b, b_length, output);
}
