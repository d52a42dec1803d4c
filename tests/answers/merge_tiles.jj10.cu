// SPDX-License-Identifier: Apache-2.0
// mistake: The tile is stored as int4, and in the last tile the number of int4 is rounded up: where length is not
//   a multiple of 4, the last one writes 1 to 3 ints behind the end of output. The elements of output itself are
//   right.
// want: length is 5. How many int4 does your last loop store, and how many ints is that? What lies behind output[4]?

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

__global__ void merge_kernel(const int* a, int na, const int* b, int nb, int4* output) {
  __shared__ int in[kTile];
  __shared__ __align__(16) int out[kTile];
  __shared__ int split[2];
  const int first = blockIdx.x * kTile;
  const int n = min(kTile, na + nb - first);
  if (threadIdx.x < 2) split[threadIdx.x] = co_rank(threadIdx.x == 0 ? first : first + n, a, na, b, nb);
  __syncthreads();

  const int m = split[1] - split[0];
  for (int k = threadIdx.x; k < m; k += kThreads) in[k] = a[split[0] + k];
  for (int k = m + threadIdx.x; k < n; k += kThreads) in[k] = b[first - split[0] + k - m];
  __syncthreads();

  const int begin = min((int)threadIdx.x * kPerThread, n);
  const int end = min(begin + kPerThread, n);
  int i = co_rank(begin, in, m, in + m, n - m);
  int j = begin - i + m;
  for (int k = begin; k < end; ++k) {
    if (i < m && (j >= n || in[i] <= in[j])) {
      out[k] = in[i++];
    } else {
      out[k] = in[j++];
    }
  }
  __syncthreads();

  // 16 bytes per thread: a tile begins at a multiple of 2048, so this is aligned
  const int4* out4 = reinterpret_cast<const int4*>(out);
  for (int k = threadIdx.x; k < (n + 3) / 4; k += kThreads) {
    output[first / 4 + k] = out4[k];
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length == 0) return;
  merge_kernel<<<(length + kTile - 1) / kTile, kThreads>>>(a, a_length, b, b_length,
                                                           reinterpret_cast<int4*>(output));
}
