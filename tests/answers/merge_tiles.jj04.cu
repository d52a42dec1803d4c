// SPDX-License-Identifier: Apache-2.0
// mistake: Only a cost: the merged elements go through shared memory, but then each thread stores the same 8
//   neighbouring elements that it merged. The lanes store 32 bytes apart: 32 sectors per 32 elements, and the
//   limit is 12, for long inputs. The detour changes nothing. Values, loads and instructions are fine.
// want: In the last loop, which places do lanes 0 and 1 store at the same step? What did the detour through shared
//   memory make possible that you don't use yet?

#include "merge_tiles.h"

constexpr int kThreads = 256;
constexpr int kPerThread = 8;
constexpr int kTile = kThreads * kPerThread;

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
  __shared__ int split[2];
  const int tile = blockIdx.x * kTile;
  const int n = min(kTile, na + nb - tile);
  if (threadIdx.x < 2) split[threadIdx.x] = merge_path(a, na, b, nb, threadIdx.x == 0 ? tile : tile + n);
  __syncthreads();

  const int n_a = split[1] - split[0];
  const int n_b = n - n_a;
  for (int k = threadIdx.x; k < n_a; k += kThreads) in[k] = a[split[0] + k];
  for (int k = threadIdx.x; k < n_b; k += kThreads) in[n_a + k] = b[tile - split[0] + k];
  __syncthreads();

  const int begin = min((int)threadIdx.x * kPerThread, n);
  const int end = min(begin + kPerThread, n);
  int i = merge_path(in, n_a, in + n_a, n_b, begin);
  int j = begin - i;
  for (int k = begin; k < end; ++k) {
    if (j >= n_b || (i < n_a && in[i] <= in[n_a + j])) {
      out[k] = in[i++];
    } else {
      out[k] = in[n_a + j++];
    }
  }
  __syncthreads();

  // from shared memory to global memory = coalesced
  for (int k = 0; k < kPerThread; ++k) {
    const int place = threadIdx.x * kPerThread + k;
    if (place < n) output[tile + place] = out[place];
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length == 0) return;
  merge_kernel<<<(length + kTile - 1) / kTile, kThreads>>>(a, a_length, b, b_length, output);
}
