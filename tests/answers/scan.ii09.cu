// SPDX-License-Identifier: Apache-2.0
// mistake: A fixed number of 128 blocks shares the input, and each gets length / 128 elements, rounded down. The
//   last length % 128 elements belong to no block, and their outputs are never written. Below length 128 no
//   output is written at all. Right only if length is a multiple of 128.
// want: Take length 300: how many elements does each block get, and which one does element 299?

#include "scan.h"

#define BLOCKS 128
#define THREADS 256
#define ITEMS 8

// Pass 1: the sum of each block's part.
__global__ void sum_parts(const int* input, int* part_sums, int part) {
  __shared__ int warp_sums[THREADS / 32];
  const int* mine = input + blockIdx.x * part;
  int sum = 0;
  for (int i = threadIdx.x; i < part; i += THREADS) {
    sum += mine[i];
  }
  for (int d = 16; d > 0; d /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, d);
  }
  if (threadIdx.x % 32 == 0) {
    warp_sums[threadIdx.x / 32] = sum;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    int total = 0;
    for (int w = 0; w < THREADS / 32; w++) {
      total += warp_sums[w];
    }
    part_sums[blockIdx.x] = total;
  }
}

// Pass 2: each block scans its part piece by piece and carries the sum on.
__global__ void scan_parts(const int* input, int* output, const int* part_sums, int part) {
  __shared__ int piece[THREADS * ITEMS];
  __shared__ int warp_sums[THREADS / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  input += blockIdx.x * part;
  output += blockIdx.x * part;

  // the parts before mine, a warp at a time
  int carry = 0;
  for (int b = lane; b < blockIdx.x; b += 32) {
    carry += part_sums[b];
  }
  for (int d = 16; d > 0; d /= 2) {
    carry += __shfl_xor_sync(0xffffffff, carry, d);
  }

  for (int begin = 0; begin < part; begin += THREADS * ITEMS) {
    for (int k = 0; k < ITEMS; k++) {
      const int j = k * THREADS + threadIdx.x;
      piece[j] = begin + j < part ? input[begin + j] : 0;
    }
    __syncthreads();

    int sum = 0;
    for (int k = 0; k < ITEMS; k++) {
      sum += piece[threadIdx.x * ITEMS + k];
      piece[threadIdx.x * ITEMS + k] = sum;
    }
    int scanned = sum;
    for (int d = 1; d < 32; d *= 2) {
      const int other = __shfl_up_sync(0xffffffff, scanned, d);
      if (lane >= d) {
        scanned += other;
      }
    }
    if (lane == 31) {
      warp_sums[warp] = scanned;
    }
    __syncthreads();

    int before = carry + scanned - sum;
    for (int w = 0; w < THREADS / 32; w++) {
      if (w < warp) {
        before += warp_sums[w];
      }
      carry += warp_sums[w];
    }
    for (int k = 0; k < ITEMS; k++) {
      piece[threadIdx.x * ITEMS + k] += before;
    }
    __syncthreads();

    for (int k = 0; k < ITEMS; k++) {
      const int j = k * THREADS + threadIdx.x;
      if (begin + j < part) {
        output[begin + j] = piece[j];
      }
    }
    __syncthreads();
  }
}

void scan(const int* input, int* output, int length) {
  const int part = length / BLOCKS;
  int* part_sums;
  cudaMalloc(&part_sums, BLOCKS * sizeof(int));
  sum_parts<<<BLOCKS, THREADS>>>(input, part_sums, part);
  scan_parts<<<BLOCKS, THREADS>>>(input, output, part_sums, part);
  cudaFree(part_sums);
}
