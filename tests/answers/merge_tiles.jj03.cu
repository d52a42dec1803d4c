// SPDX-License-Identifier: Apache-2.0
// mistake: Only a cost: within the tile, a thread does not search its begin, but merges from the start of the tile
//   and throws away all elements before its own. The last threads go through 2040 elements to merge 8. In all,
//   far above 10 x length instructions, for long inputs. Values, loads and stores are fine.
// want: How many steps does thread 255 take before its first element? You have a function that finds i without
//   going there step by step: does it work in shared memory, too?

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

struct Merger {
  const int* x;
  const int* x_end;
  const int* y;
  const int* y_end;

  __device__ int next() {
    if (y == y_end || (x < x_end && *x <= *y)) return *x++;
    return *y++;
  }
};

__global__ void merge_kernel(const int* a, int na, const int* b, int nb, int* output) {
  __shared__ int in[kTile];
  __shared__ int out[kTile];
  __shared__ int split[2];
  const int first = blockIdx.x * kTile;
  const int n = min(kTile, na + nb - first);
  if (threadIdx.x < 2) split[threadIdx.x] = co_rank(threadIdx.x == 0 ? first : first + n, a, na, b, nb);
  __syncthreads();

  const int m = split[1] - split[0];
  for (int k = threadIdx.x; k < m; k += kThreads) in[k] = a[split[0] + k];
  for (int k = m + threadIdx.x; k < n; k += kThreads) in[k] = b[first - split[0] + k - m];
  __syncthreads();

  const int begin = threadIdx.x * kPerThread;
  if (begin < n) {
    Merger merger{in, in + m, in + m, in + n};
    for (int k = 0; k < begin; ++k) merger.next();  // skip what the threads before me merge
    for (int k = begin; k < min(begin + kPerThread, n); ++k) out[k] = merger.next();
  }
  __syncthreads();

  for (int k = threadIdx.x; k < n; k += kThreads) output[first + k] = out[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length == 0) return;
  merge_kernel<<<(length + kTile - 1) / kTile, kThreads>>>(a, a_length, b, b_length, output);
}
