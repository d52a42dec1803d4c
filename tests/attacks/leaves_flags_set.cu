// SPDX-License-Identifier: Apache-2.0
// exercise: scan
// verdict: wrong_result
// says: `ready` and `sums` keep their values from one call to the next
// says: what does the second call read that it did not set?
//
// Each tile waits for the flag of the tile before it, and no call resets the flags. In ascending order a block always
// finds the sum of this call.

#include "scan.h"

#define BLOCK_SIZE 256
#define MAX_TILES (1 << 16)

__device__ int ready[MAX_TILES], sums[MAX_TILES];

__global__ void scan_kernel(const int* input, int* output, int length) {
  __shared__ int tile[BLOCK_SIZE];
  __shared__ int before;
  const int t = threadIdx.x, i = blockIdx.x * BLOCK_SIZE + t;
  tile[t] = i < length ? input[i] : 0;
  __syncthreads();
  for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
    const int other = t >= distance ? tile[t - distance] : 0;
    __syncthreads();
    tile[t] += other;
    __syncthreads();
  }
  if (t == 0) {
    before = 0;
    if (blockIdx.x > 0) {
      while (atomicAdd(&ready[blockIdx.x - 1], 0) == 0) {
      }
      __threadfence();
      before = atomicAdd(&sums[blockIdx.x - 1], 0);
    }
    atomicExch(&sums[blockIdx.x], before + tile[BLOCK_SIZE - 1]);
    __threadfence();
    atomicExch(&ready[blockIdx.x], 1);
  }
  __syncthreads();
  if (i < length) output[i] = before + tile[t];
}

void scan(const int* input, int* output, int length) {
  if (length > 0) scan_kernel<<<(length + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(input, output, length);
}
