// SPDX-License-Identifier: Apache-2.0
// differs: a single block of 1024 threads goes over the input and carries the sum so far. Warps scan by
// shuffles, and each thread keeps its 8 elements in registers.

#include "scan.h"

#define BLOCK_SIZE 1024
#define COARSE_FACTOR 8
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

__device__ int scan_of_warp(int value) {
  for (int distance = 1; distance < 32; distance *= 2) {
    const int before = __shfl_up_sync(0xffffffff, value, distance);
    if (threadIdx.x % 32 >= distance) {
      value += before;
    }
  }
  return value;
}

__global__ void scan_all(const int* input, int* output, int length) {
  __shared__ int tile[TILE];
  __shared__ int warp_sums[32];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  int carry = 0;
  for (int first = 0; first < length; first += TILE) {
    for (int k = t; k < TILE; k += BLOCK_SIZE) {
      tile[k] = k < length - first ? input[first + k] : 0;
    }
    __syncthreads();
    int mine[COARSE_FACTOR], sum = 0;
    for (int k = 0; k < COARSE_FACTOR; ++k) {
      sum += tile[t * COARSE_FACTOR + k];
      mine[k] = sum;
    }
    const int through_me = scan_of_warp(sum);
    if (lane == 31) {
      warp_sums[warp] = through_me;
    }
    __syncthreads();
    if (warp == 0) {
      warp_sums[lane] = scan_of_warp(warp_sums[lane]);
    }
    __syncthreads();
    const int before_me = carry + through_me - sum + (warp > 0 ? warp_sums[warp - 1] : 0);
    carry += warp_sums[31];
    for (int k = 0; k < COARSE_FACTOR; ++k) {
      tile[t * COARSE_FACTOR + k] = before_me + mine[k];
    }
    __syncthreads();
    for (int k = t; k < TILE && k < length - first; k += BLOCK_SIZE) {
      output[first + k] = tile[k];
    }
    __syncthreads();
  }
}

void scan(const int* input, int* output, int length) {
  if (length > 0) {
    scan_all<<<1, BLOCK_SIZE>>>(input, output, length);
  }
}
