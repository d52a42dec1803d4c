// SPDX-License-Identifier: Apache-2.0
// mistake: The merge loop tests whether the part of a is used up, but not the one of b: then an element of a is
//   compared with what lies behind the part of b in shared memory, or behind the array. If that is smaller, it is
//   stored as if it came from b. Shows at random where a tile ends with elements of a.
// want: Merge a = {7, 8} and b = {1}. After the 1, which element is 7 compared with? Which two conditions may end
//   the choice between a and b?

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
  __shared__ int split[2];
  const int first = blockIdx.x * kTile;
  const int n = min(kTile, na + nb - first);
  if (threadIdx.x < 2) split[threadIdx.x] = co_rank(threadIdx.x == 0 ? first : first + n, a, na, b, nb);
  __syncthreads();

  const int m = split[1] - split[0];
  const int* from_a = a + split[0];
  const int* from_b = b + (first - split[0]);
  for (int k = threadIdx.x; k < m; k += kThreads) in[k] = from_a[k];
  for (int k = threadIdx.x; k < n - m; k += kThreads) in[m + k] = from_b[k];
  __syncthreads();

  int r[kPerThread];
  const int begin = min((int)threadIdx.x * kPerThread, n);
  const int count = min(kPerThread, n - begin);
  int i = co_rank(begin, in, m, in + m, n - m);
  int j = m + begin - i;
  for (int q = 0; q < count; ++q) {
    if (i < m && in[i] <= in[j]) {
      r[q] = in[i++];
    } else {
      r[q] = in[j++];
    }
  }
  __syncthreads();
  for (int q = 0; q < count; ++q) in[begin + q] = r[q];
  __syncthreads();
  for (int k = threadIdx.x; k < n; k += kThreads) output[first + k] = in[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length == 0) return;
  merge_kernel<<<(length + kTile - 1) / kTile, kThreads>>>(a, a_length, b, b_length, output);
}
