// SPDX-License-Identifier: Apache-2.0
// mistake: Only a cost: all 256 threads do the block's two searches in global memory. A warp fetches one sector
//   per load, but all 8 warps do it: about 500 sectors per tile of 1024 elements, 16 per 32 elements, and 4 more
//   to load the tile. The limit is 16, for long inputs. Values, stores and instructions are fine.
// want: How many different results do the two searches of a block have, and how many threads compute them? How
//   could one thread tell the others?

#include "merge_tiles.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 4
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

__device__ int co_rank(int k, const int* A, int m, const int* B, int n) {
  int low = max(0, k - n), high = min(k, m);
  while (low < high) {
    int mid = (low + high) >> 1;
    if (A[mid] <= B[k - 1 - mid]) low = mid + 1;
    else high = mid;
  }
  return low;
}

__global__ void merge_kernel(const int* a, int a_length, const int* b, int b_length, int* output) {
  __shared__ int s[TILE];
  const int length = a_length + b_length;
  const int k0 = blockIdx.x * TILE;
  const int k1 = min(k0 + TILE, length);

  // Everybody needs these: no shared variable and no barrier necessary. Same address -> broadcast.
  const int a0 = co_rank(k0, a, a_length, b, b_length);
  const int a1 = co_rank(k1, a, a_length, b, b_length);
  const int b0 = k0 - a0;
  const int b1 = k1 - a1;
  const int m = a1 - a0;
  const int n = b1 - b0;

  for (int x = threadIdx.x; x < m; x += BLOCK_SIZE) s[x] = a[a0 + x];
  for (int x = threadIdx.x; x < n; x += BLOCK_SIZE) s[m + x] = b[b0 + x];
  __syncthreads();

  const int first = min((int)threadIdx.x * COARSE_FACTOR, m + n);
  int i = co_rank(first, s, m, s + m, n);
  int j = first - i;
  int result[COARSE_FACTOR];
  for (int q = 0; q < COARSE_FACTOR; q++) {
    if (i < m && (j >= n || s[i] <= s[m + j])) {
      result[q] = s[i++];
    } else if (j < n) {
      result[q] = s[m + j++];
    }
  }
  __syncthreads();
  for (int q = 0; q < COARSE_FACTOR; q++) {
    if (first + q < m + n) s[first + q] = result[q];
  }
  __syncthreads();
  for (int x = threadIdx.x; x < m + n; x += BLOCK_SIZE) output[k0 + x] = s[x];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int blocks = (a_length + b_length + TILE - 1) / TILE;
  if (blocks > 0) merge_kernel<<<blocks, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
