// SPDX-License-Identifier: Apache-2.0
// mistake: A block merges several tiles in a loop. At the end of the loop there is no barrier: a fast warp loads
//   its part of the next tile into shared memory, while slow warps still store the merged elements from there.
//   Values are wrong at random where there are more than 128 tiles: length above 262,144.
// want: A warp has stored its part and starts over with the next tile. Which array does it write first, and who may
//   still read there?

#include "merge_tiles.h"

constexpr int kThreads = 256;
constexpr int kPerThread = 8;
constexpr int kTile = kThreads * kPerThread;
constexpr int kBlocks = 128;  // about one per SM, they stay until all is done

__device__ int co_rank(int k, const int* A, int m, const int* B, int n) {
  int low = max(0, k - n), high = min(k, m);
  while (low < high) {
    int mid = (low + high) >> 1;
    if (A[mid] <= B[k - 1 - mid]) low = mid + 1;
    else high = mid;
  }
  return low;
}

__global__ void split_kernel(const int* a, int na, const int* b, int nb, int* splits, int tiles) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t <= tiles) splits[t] = co_rank(min(t * kTile, na + nb), a, na, b, nb);
}

__global__ void merge_kernel(const int* a, int na, const int* b, int nb, int* output, const int* splits,
                             int tiles) {
  __shared__ int s[kTile];
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    const int first = t * kTile;
    const int n = min(kTile, na + nb - first);
    const int a0 = splits[t];
    const int m = splits[t + 1] - a0;
    const int* b0 = b + (first - a0);
    for (int k = threadIdx.x; k < n; k += kThreads) s[k] = k < m ? a[a0 + k] : b0[k - m];
    __syncthreads();

    const int begin = min((int)threadIdx.x * kPerThread, n);
    const int end = min(begin + kPerThread, n);
    int i = co_rank(begin, s, m, s + m, n - m);
    int j = m + begin - i;
    int r[kPerThread];
    for (int k = begin; k < end; ++k) {
      r[k - begin] = j >= n || (i < m && s[i] <= s[j]) ? s[i++] : s[j++];
    }
    __syncthreads();
    for (int k = begin; k < end; ++k) s[k] = r[k - begin];
    __syncthreads();
    for (int k = threadIdx.x; k < n; k += kThreads) output[first + k] = s[k];
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length == 0) return;
  const int tiles = (length + kTile - 1) / kTile;
  int* splits;
  cudaMalloc(&splits, (tiles + 1) * sizeof(int));
  split_kernel<<<tiles / 256 + 1, 256>>>(a, a_length, b, b_length, splits, tiles);
  merge_kernel<<<tiles < kBlocks ? tiles : kBlocks, kThreads>>>(a, a_length, b, b_length, output, splits, tiles);
  cudaFree(splits);
}
