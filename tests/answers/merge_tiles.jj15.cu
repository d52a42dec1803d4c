// SPDX-License-Identifier: Apache-2.0
// mistake: Thread 0 writes the results of the two searches to shared memory, and all threads read them at once,
//   with no barrier between. The other warps do not wait for the searches: they load with whatever is in shared
//   memory: wrong values at random or illegal reads, for every length above 0.
// want: While thread 0 searches, what does thread 100 do? What must it wait for before it reads a_begin?

#include "merge_tiles.h"

constexpr int kThreads = 256;
constexpr int kPerThread = 8;
constexpr int kTile = kThreads * kPerThread;

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
  __shared__ int a_begin;
  __shared__ int a_end;
  const int first = blockIdx.x * kTile;
  const int n = min(kTile, na + nb - first);

  // one thread searches
  if (threadIdx.x == 0) {
    a_begin = co_rank(first, a, na, b, nb);
    a_end = co_rank(first + n, a, na, b, nb);
  }

  // all threads load
  const int m = a_end - a_begin;
  const int b_begin = first - a_begin;
  for (int k = threadIdx.x; k < m; k += kThreads) in[k] = a[a_begin + k];
  for (int k = threadIdx.x; k < n - m; k += kThreads) in[m + k] = b[b_begin + k];
  __syncthreads();

  // all threads merge
  const int begin = min((int)threadIdx.x * kPerThread, n);
  const int end = min(begin + kPerThread, n);
  int i = co_rank(begin, in, m, in + m, n - m);
  int j = m + begin - i;
  for (int k = begin; k < end; ++k) {
    if (j >= n || (i < m && in[i] <= in[j])) {
      out[k] = in[i++];
    } else {
      out[k] = in[j++];
    }
  }
  __syncthreads();

  // all threads store
  for (int k = threadIdx.x; k < n; k += kThreads) output[first + k] = out[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length == 0) return;
  merge_kernel<<<(length + kTile - 1) / kTile, kThreads>>>(a, a_length, b, b_length, output);
}
