// SPDX-License-Identifier: Apache-2.0
// mistake: One block walks through all tiles with a running sum in shared memory. The last thread replaces it as soon
//   as it has read it itself; there is no barrier between the other threads' reading and this store. A slower warp
//   adds its own tile's sum, too. A race in every tile; it shows when warp 31 is ahead of others.
// want: Which threads read carry, and which one writes it? What keeps the last thread from writing before thread 0
//   has read?

#include "scan.h"

#define THREADS 1024
#define EACH 4
#define TILE (THREADS * EACH)

__global__ void scan_one_block(const int* input, int* output, int length) {
  __shared__ int tile[TILE];
  __shared__ int warp_sums[32];
  __shared__ int carry;
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  if (t == 0) carry = 0;

  for (int start = 0; start < length; start += TILE) {
    for (int k = t; k < TILE; k += THREADS) {
      tile[k] = start + k < length ? input[start + k] : 0;
    }
    __syncthreads();

    int v[EACH];
    int sum = 0;
    for (int k = 0; k < EACH; ++k) {
      sum += tile[t * EACH + k];
      v[k] = sum;
    }
    int x = sum;
    for (int d = 1; d < 32; d *= 2) {
      const int y = __shfl_up_sync(0xffffffff, x, d);
      if (lane >= d) x += y;
    }
    if (lane == 31) warp_sums[warp] = x;
    __syncthreads();
    if (warp == 0) {
      int w = warp_sums[lane];
      for (int d = 1; d < 32; d *= 2) {
        const int y = __shfl_up_sync(0xffffffff, w, d);
        if (lane >= d) w += y;
      }
      warp_sums[lane] = w;
    }
    __syncthreads();

    const int before = carry + (warp > 0 ? warp_sums[warp - 1] : 0) + x - sum;
    for (int k = 0; k < EACH; ++k) {
      tile[t * EACH + k] = before + v[k];
    }
    if (t == THREADS - 1) {
      carry = before + sum;  // for the next tile
    }
    __syncthreads();

    for (int k = t; k < TILE; k += THREADS) {
      if (start + k < length) output[start + k] = tile[k];
    }
    __syncthreads();
  }
}

void scan(const int* input, int* output, int length) {
  // a single block, so no sums between blocks and no second kernel
  scan_one_block<<<1, THREADS>>>(input, output, length);
}
