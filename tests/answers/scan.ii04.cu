// SPDX-License-Identifier: Apache-2.0
// mistake: The block gets its offset from atomicAdd(total, sum). That is the sum of the blocks that came to this
//   line earlier, not the sum of the blocks with a smaller number. Blocks run in any order, so a tile may get the
//   sum of a later tile, or miss one before. Right only if the blocks happen to arrive in order: shows with two
//   or more tiles (length above 2048), above all for long inputs.
// want: What does atomicAdd return? If block 5 comes to that line before block 3, what do both get, and what
//   should they get?

#include "scan.h"

#define BLOCK_SIZE 256
#define COARSE 8

__global__ void scan_kernel(const int* input, int* output, int* total, int length) {
  __shared__ int data[BLOCK_SIZE * COARSE];
  __shared__ int sums[2][BLOCK_SIZE];
  __shared__ int offset;

  const int first = blockIdx.x * BLOCK_SIZE * COARSE;
  for (int c = 0; c < COARSE; c++) {
    const int local = c * BLOCK_SIZE + threadIdx.x;
    data[local] = first + local < length ? input[first + local] : 0;
  }
  __syncthreads();

  int* mine = &data[threadIdx.x * COARSE];
  for (int c = 1; c < COARSE; c++) {
    mine[c] += mine[c - 1];
  }
  sums[0][threadIdx.x] = mine[COARSE - 1];
  __syncthreads();

  // double buffer, so one barrier per step
  int from = 0;
  for (int d = 1; d < BLOCK_SIZE; d *= 2) {
    int s = sums[from][threadIdx.x];
    if (threadIdx.x >= d) {
      s += sums[from][threadIdx.x - d];
    }
    sums[1 - from][threadIdx.x] = s;
    from = 1 - from;
    __syncthreads();
  }

  // Add the sum of my block to the total. The old value is the sum of all blocks before me :)
  if (threadIdx.x == 0) {
    offset = atomicAdd(total, sums[from][BLOCK_SIZE - 1]);
  }
  __syncthreads();

  int add = offset;
  if (threadIdx.x > 0) {
    add += sums[from][threadIdx.x - 1];
  }
  for (int c = 0; c < COARSE; c++) {
    mine[c] += add;
  }
  __syncthreads();

  for (int c = 0; c < COARSE; c++) {
    const int local = c * BLOCK_SIZE + threadIdx.x;
    if (first + local < length) {
      output[first + local] = data[local];
    }
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  int* total;
  cudaMalloc(&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  const int blocks = (length + BLOCK_SIZE * COARSE - 1) / (BLOCK_SIZE * COARSE);
  scan_kernel<<<blocks, BLOCK_SIZE>>>(input, output, total, length);
  cudaFree(total);
}
