// SPDX-License-Identifier: Apache-2.0
// mistake: The tile in shared memory is of uint32_t, so that the search and the merge in the tile compare without
//   sign: -1 counts as 4,294,967,295 and comes after all positive elements. Shows where a tile has negative
//   elements of one array and others of the other that are 0 or more; without negative elements it is right.
// want: What is -1 as a uint32_t, and is it less than 5? Which elements does the contract allow, and which type
//   does the comparison in the tile have?

#include "merge_tiles.h"

#include <cstdint>

constexpr int kThreads = 256;
constexpr int kPerThread = 8;
constexpr int kTile = kThreads * kPerThread;

template <typename T>
__device__ int find(int k, const T* a, int na, const T* b, int nb) {
  int low = max(0, k - nb);
  int high = min(k, na);
  while (low < high) {
    const int mid = (low + high) / 2;
    if (a[mid] <= b[k - 1 - mid]) {
      low = mid + 1;
    } else {
      high = mid;
    }
  }
  return low;
}

__global__ void merge_kernel(const int* a, int na, const int* b, int nb, int* output) {
  __shared__ uint32_t in[kTile];  // 32 bits each
  __shared__ uint32_t out[kTile];
  __shared__ int split[2];
  const int first = blockIdx.x * kTile;
  const int n = min(kTile, na + nb - first);
  if (threadIdx.x < 2) split[threadIdx.x] = find(threadIdx.x == 0 ? first : first + n, a, na, b, nb);
  __syncthreads();

  const int m = split[1] - split[0];
  for (int k = threadIdx.x; k < n; k += kThreads) {
    in[k] = k < m ? a[split[0] + k] : b[first - split[0] + k - m];
  }
  __syncthreads();

  const int begin = min((int)threadIdx.x * kPerThread, n);
  const int end = min(begin + kPerThread, n);
  int i = find(begin, in, m, in + m, n - m);
  int j = m + begin - i;
  for (int k = begin; k < end; ++k) {
    if (j == n) {
      out[k] = in[i++];
    } else if (i == m) {
      out[k] = in[j++];
    } else {
      out[k] = in[i] <= in[j] ? in[i++] : in[j++];
    }
  }
  __syncthreads();
  for (int k = threadIdx.x; k < n; k += kThreads) output[first + k] = out[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length == 0) return;
  merge_kernel<<<(length + kTile - 1) / kTile, kThreads>>>(a, a_length, b, b_length, output);
}
