// SPDX-License-Identifier: Apache-2.0
// differs: one kernel, in which each tile waits for the sum through the tile before it: one thread spins on a
// flag, with a fence. Blocks take tiles in the order in which they begin.

#include "scan.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 9
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

__global__ void scan_chain(const int* input, int* output, int* taken, volatile int* flags, volatile int* sums,
                           int length) {
  __shared__ int tile[TILE];
  __shared__ int thread_sums[BLOCK_SIZE];
  __shared__ int own, before_tile;
  const int t = threadIdx.x;
  if (t == 0) {
    own = atomicAdd(taken, 1);
  }
  __syncthreads();
  const int first = own * TILE;
  for (int k = t; k < TILE; k += BLOCK_SIZE) {
    tile[k] = k < length - first ? input[first + k] : 0;
  }
  __syncthreads();
  int* mine = tile + t * COARSE_FACTOR;
  for (int k = 1; k < COARSE_FACTOR; ++k) {
    mine[k] += mine[k - 1];
  }
  thread_sums[t] = mine[COARSE_FACTOR - 1];
  __syncthreads();
  for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
    const int before = t >= distance ? thread_sums[t - distance] : 0;
    __syncthreads();
    thread_sums[t] += before;
    __syncthreads();
  }
  if (t == 0) {
    int before = 0;
    if (own > 0) {
      while (flags[own - 1] == 0) {
      }
      __threadfence();
      before = sums[own - 1];
    }
    sums[own] = before + thread_sums[BLOCK_SIZE - 1];
    __threadfence();
    flags[own] = 1;
    before_tile = before;
  }
  __syncthreads();
  const int before_me = before_tile + (t > 0 ? thread_sums[t - 1] : 0);
  for (int k = 0; k < COARSE_FACTOR; ++k) {
    mine[k] += before_me;
  }
  __syncthreads();
  for (int k = t; k < TILE && k < length - first; k += BLOCK_SIZE) {
    output[first + k] = tile[k];
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int tiles = (length - 1) / TILE + 1;
  int* memory = nullptr;
  cudaMalloc(&memory, (2 * tiles + 1) * sizeof(int));
  cudaMemset(memory, 0, (2 * tiles + 1) * sizeof(int));
  scan_chain<<<tiles, BLOCK_SIZE>>>(input, output, memory, memory + 1, memory + 1 + tiles, length);
  cudaFree(memory);
}
