// SPDX-License-Identifier: Apache-2.0
// mistake: The counter next_tile and the flags ready[] live in __device__ variables, which are 0 only when the program
//   starts; nothing sets them back. In the second call, the blocks draw numbers from where the first call ended: they
//   work on tiles past its end, or skip the first tiles, and find old prefixes. Shows from the second call on, at every
//   length: the first tiles of output are not written.
// want: Call scan() twice. Which number does the first block of the second call draw, and what is ready[0] then? When
//   does a __device__ variable get the value from its declaration?

#include "scan.h"

#define BLOCK_SIZE 256
#define PER_THREAD 16
#define TILE_SIZE (BLOCK_SIZE * PER_THREAD)
#define MAX_TILES (1 << 19)  // enough for every int length

__device__ int next_tile = 0;
__device__ volatile int prefix[MAX_TILES];  // sum of all elements up to the end of the tile
__device__ volatile int ready[MAX_TILES];   // 1 as soon as prefix is there (0 at the start)

// One pass: a block waits for the prefix of the tile before, and hands on its own.
__global__ void scan_chained(const int* input, int* output, int length) {
  __shared__ int values[TILE_SIZE];
  __shared__ int sums[BLOCK_SIZE];
  __shared__ int shared_tile, shared_before;
  const int t = threadIdx.x;

  // Blocks may start in any order, so they draw a number.
  if (t == 0) shared_tile = atomicAdd(&next_tile, 1);
  __syncthreads();
  const int tile = shared_tile;
  const int base = tile * TILE_SIZE;

  for (int k = t; k < TILE_SIZE; k += BLOCK_SIZE) {
    values[k] = base + k < length ? input[base + k] : 0;
  }
  __syncthreads();

  int sum = 0;
  for (int k = 0; k < PER_THREAD; ++k) {
    sum += values[t * PER_THREAD + k];
  }
  sums[t] = sum;
  __syncthreads();

  for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
    const int left = t >= distance ? sums[t - distance] : 0;
    __syncthreads();
    sums[t] += left;
    __syncthreads();
  }

  if (t == 0) {
    int before = 0;
    if (tile > 0) {
      while (ready[tile - 1] == 0) {
      }
      __threadfence();
      before = prefix[tile - 1];
    }
    prefix[tile] = before + sums[BLOCK_SIZE - 1];
    __threadfence();
    ready[tile] = 1;
    shared_before = before;
  }
  __syncthreads();

  int running = shared_before + (t > 0 ? sums[t - 1] : 0);
  for (int k = 0; k < PER_THREAD; ++k) {
    running += values[t * PER_THREAD + k];
    values[t * PER_THREAD + k] = running;
  }
  __syncthreads();

  for (int k = t; k < TILE_SIZE; k += BLOCK_SIZE) {
    if (base + k < length) output[base + k] = values[k];
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int tiles = (length + TILE_SIZE - 1) / TILE_SIZE;
  scan_chained<<<tiles, BLOCK_SIZE>>>(input, output, length);
}
