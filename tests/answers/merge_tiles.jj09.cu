// SPDX-License-Identifier: Apache-2.0
// mistake: The parts of a and b are loaded as int4, 16 bytes at once. Such a load needs an address that is a
//   multiple of 16, but the part of a tile may begin at any element: the kernel stops with a misaligned address.
//   Shows from the second tile on, unless all splits happen to be multiples of 4.
// want: The part of a begins at a + 1023. What must hold for the address of an int4 load, and does it hold there?

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

// four elements per load instruction, the rest one by one
__device__ void load_part(int* to, const int* from, int n) {
  const int4* vector = reinterpret_cast<const int4*>(from);
  for (int k = threadIdx.x; k < n / 4; k += kThreads) {
    const int4 v = vector[k];
    to[4 * k] = v.x;
    to[4 * k + 1] = v.y;
    to[4 * k + 2] = v.z;
    to[4 * k + 3] = v.w;
  }
  for (int k = n / 4 * 4 + threadIdx.x; k < n; k += kThreads) to[k] = from[k];
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
  load_part(in, a + split[0], n_a);
  load_part(in + n_a, b + (tile - split[0]), n_b);
  __syncthreads();

  const int begin = min((int)threadIdx.x * kPerThread, n);
  const int end = min(begin + kPerThread, n);
  int i = merge_path(in, n_a, in + n_a, n_b, begin);
  int j = begin - i;
  for (int k = begin; k < end; ++k) {
    out[k] = j >= n_b || (i < n_a && in[i] <= in[n_a + j]) ? in[i++] : in[n_a + j++];
  }
  __syncthreads();
  for (int k = threadIdx.x; k < n; k += kThreads) output[tile + k] = out[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length == 0) return;
  merge_kernel<<<(length + kTile - 1) / kTile, kThreads>>>(a, a_length, b, b_length, output);
}
