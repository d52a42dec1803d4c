// SPDX-License-Identifier: Apache-2.0
// mistake: The values are right, but each thread loads its 16 neighbouring elements straight into registers and
//   stores them from there. In each load the lanes of a warp are 64 bytes apart: 32 sectors for 32 elements, and
//   the same for the stores, where 20 are allowed. With the pass of add_kernel it is 36. Shows for every
//   long input.
// want: In the first turn of the loop, which addresses do lanes 0, 1 and 2 load? How many sectors are these, and how
//   many of their bytes are used?

#include "scan.h"

constexpr int BLOCK = 256;
constexpr int COARSE = 16;

__global__ void scan_kernel(const int* input, int* output, int* sums, int length) {
  __shared__ int warp_sums[BLOCK / 32];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;

  // everything in registers, registers are the fastest memory
  const int first = (blockIdx.x * BLOCK + threadIdx.x) * COARSE;
  int v[COARSE];
  int sum = 0;
#pragma unroll
  for (int k = 0; k < COARSE; k++) {
    sum += first + k < length ? input[first + k] : 0;
    v[k] = sum;
  }

  int scanned = sum;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const int left = __shfl_up_sync(0xffffffff, scanned, d);
    if (lane >= d) {
      scanned += left;
    }
  }
  if (lane == 31) {
    warp_sums[warp] = scanned;
  }
  __syncthreads();  // the only barrier!

  int before = scanned - sum;
  int all = 0;
#pragma unroll
  for (int w = 0; w < BLOCK / 32; w++) {
    before += w < warp ? warp_sums[w] : 0;
    all += warp_sums[w];
  }

#pragma unroll
  for (int k = 0; k < COARSE; k++) {
    if (first + k < length) {
      output[first + k] = v[k] + before;
    }
  }
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = all;
  }
}

// One warp scans the sums of the blocks, 32 in each turn.
__global__ void sums_kernel(int* sums, int blocks) {
  int carry = 0;
  for (int b = threadIdx.x; b - (int)threadIdx.x < blocks; b += 32) {
    int s = b < blocks ? sums[b] : 0;
    for (int d = 1; d < 32; d *= 2) {
      const int left = __shfl_up_sync(0xffffffff, s, d);
      if (threadIdx.x >= d) {
        s += left;
      }
    }
    if (b < blocks) {
      sums[b] = s + carry;
    }
    carry += __shfl_sync(0xffffffff, s, 31);
  }
}

__global__ void add_kernel(int* output, const int* sums, int length) {
  const int start = (blockIdx.x + 1) * BLOCK * COARSE;
  const int before = sums[blockIdx.x];
  for (int k = threadIdx.x; k < BLOCK * COARSE; k += BLOCK) {
    if (start + k < length) {
      output[start + k] += before;
    }
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int blocks = (length + BLOCK * COARSE - 1) / (BLOCK * COARSE);
  int* sums = nullptr;
  cudaMalloc(&sums, blocks * sizeof(int));
  scan_kernel<<<blocks, BLOCK>>>(input, output, sums, length);
  if (blocks > 1) {
    sums_kernel<<<1, 32>>>(sums, blocks);
    add_kernel<<<blocks - 1, BLOCK>>>(output, sums, length);
  }
  cudaFree(sums);
}
