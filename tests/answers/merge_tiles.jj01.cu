// SPDX-License-Identifier: Apache-2.0
// mistake: Only a cost: the tile has only 128 elements, but each tile needs two searches in global memory, with
//   about 16 steps of two loads each where a and b are both long: 60 sectors per 128 elements, 15 per 32 elements,
//   and 5 more to load the tile. The limit is 16, for long inputs. Values, stores and instructions are fine.
// want: How many sectors do the two searches of a block fetch in an input of 262,144 elements? Over how many
//   elements of output do they spread, and what could change that?

#include "merge_tiles.h"

constexpr int kThreads = 32;    // one warp per block: __syncwarp is enough
constexpr int kPerThread = 4;
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
  __shared__ int s[kTile];
  const int lane = threadIdx.x;
  const int d0 = blockIdx.x * kTile;
  const int n = min(kTile, na + nb - d0);

  int split = 0;
  if (lane < 2) split = merge_path(a, na, b, nb, lane == 0 ? d0 : d0 + n);
  const int a0 = __shfl_sync(0xffffffff, split, 0);
  const int a1 = __shfl_sync(0xffffffff, split, 1);
  const int from_a = a1 - a0;
  const int from_b = n - from_a;
  for (int x = lane; x < from_a; x += kThreads) s[x] = a[a0 + x];
  for (int x = lane; x < from_b; x += kThreads) s[from_a + x] = b[d0 - a0 + x];
  __syncwarp();

  const int begin = min(lane * kPerThread, n);
  int i = merge_path(s, from_a, s + from_a, from_b, begin);
  int j = begin - i;
  int r[kPerThread];
#pragma unroll
  for (int q = 0; q < kPerThread; ++q) {
    r[q] = 0;
    if (begin + q < n) {
      const bool take_a = j >= from_b || (i < from_a && s[i] <= s[from_a + j]);
      r[q] = take_a ? s[i++] : s[from_a + j++];
    }
  }
  __syncwarp();
#pragma unroll
  for (int q = 0; q < kPerThread; ++q) {
    if (begin + q < n) s[begin + q] = r[q];
  }
  __syncwarp();
  for (int x = lane; x < n; x += kThreads) output[d0 + x] = s[x];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length == 0) return;
  merge_kernel<<<(length + kTile - 1) / kTile, kThreads>>>(a, a_length, b, b_length, output);
}
