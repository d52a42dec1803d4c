// SPDX-License-Identifier: Apache-2.0
// mistake: All threads read `carry`, and the last thread adds the sum of the tile to it right away, with no barrier
//   between. A warp that is late reads the carry of the next tile and counts the whole tile twice. A race: it may
//   show for every length above 0 (also in the first tile), in some runs only. (One block for the whole input is
//   slow, but not against the contract.)
// want: The last warp is fast and the first warp is slow. Which value of carry does the first warp read? What has to
//   happen before carry may change?

#include "scan.h"

#define BLOCK_SIZE 1024
#define PER_THREAD 4
#define TILE (BLOCK_SIZE * PER_THREAD)

// One block does it all, so no sums have to go from block to block.
__global__ void scan_kernel(const int* input, int* output, int length) {
  __shared__ int tile[TILE];
  __shared__ int warp_sums[32];
  __shared__ int carry;
  const int t = threadIdx.x;
  const int lane = t % 32;

  if (t == 0) {
    carry = 0;
  }

  for (int start = 0; start < length; start += TILE) {
    for (int k = 0; k < PER_THREAD; k++) {
      const int j = k * BLOCK_SIZE + t;
      tile[j] = start + j < length ? input[start + j] : 0;
    }
    __syncthreads();

    int sum = 0;
    for (int k = 0; k < PER_THREAD; k++) {
      sum += tile[t * PER_THREAD + k];
    }
    int scanned = sum;
    for (int d = 1; d < 32; d *= 2) {
      const int other = __shfl_up_sync(0xffffffff, scanned, d);
      if (lane >= d) scanned += other;
    }
    if (lane == 31) {
      warp_sums[t / 32] = scanned;
    }
    __syncthreads();

    // the first warp scans the 32 sums of the warps
    if (t < 32) {
      int s = warp_sums[lane];
      for (int d = 1; d < 32; d *= 2) {
        const int other = __shfl_up_sync(0xffffffff, s, d);
        if (lane >= d) s += other;
      }
      warp_sums[lane] = s;
    }
    __syncthreads();

    if (t >= 32) {
      scanned += warp_sums[t / 32 - 1];
    }
    int run = carry + scanned - sum;
    // the last thread's sum is the sum of the tile
    if (t == BLOCK_SIZE - 1) {
      carry += scanned;
    }
    for (int k = 0; k < PER_THREAD; k++) {
      run += tile[t * PER_THREAD + k];
      tile[t * PER_THREAD + k] = run;
    }
    __syncthreads();

    for (int k = 0; k < PER_THREAD; k++) {
      const int j = k * BLOCK_SIZE + t;
      if (start + j < length) {
        output[start + j] = tile[j];
      }
    }
    __syncthreads();
  }
}

void scan(const int* input, int* output, int length) {
  scan_kernel<<<1, BLOCK_SIZE>>>(input, output, length);
}
