// SPDX-License-Identifier: Apache-2.0
// mistake: The ticket counter next_tile is a __device__ variable that starts at 0 when the program is loaded, and
//   nobody sets it back. The first call of scan is right. In the second call the tickets go on after the last one
//   of the first call: tiles behind the end of the input, a wait for the flag of a tile that nobody has in this
//   call (the kernel never ends), and accesses outside of `links`.
// want: Call scan twice. What is the first ticket of the second call, and on whose flag does that block wait?

#include "scan.h"

#define BLOCK_SIZE 128
#define PER_THREAD 16
#define TILE_SIZE (BLOCK_SIZE * PER_THREAD)

struct Link {
  int prefix;
  int ready;
};

__device__ int next_tile = 0;

// Waits for the tile before mine, and tells the tile behind. Returns the sum of all tiles before.
__device__ int exchange(volatile Link* links, int tile, int sum) {
  int before = 0;
  if (tile > 0) {
    while (links[tile - 1].ready == 0) {
    }
    __threadfence();
    before = links[tile - 1].prefix;
  }
  links[tile].prefix = before + sum;
  __threadfence();
  links[tile].ready = 1;
  return before;
}

__global__ void scan_kernel(const int* input, int* output, Link* links, int length) {
  __shared__ int values[TILE_SIZE];
  __shared__ int warp_total[BLOCK_SIZE / 32];
  __shared__ int tile, tile_before;

  // dynamic tile number: a block never waits for one that has not started
  if (threadIdx.x == 0) {
    tile = atomicAdd(&next_tile, 1);
  }
  __syncthreads();

  const int start = tile * TILE_SIZE;
  for (int i = threadIdx.x; i < TILE_SIZE; i += BLOCK_SIZE) {
    values[i] = start + i < length ? input[start + i] : 0;
  }
  __syncthreads();

  int own = 0;
  for (int i = 0; i < PER_THREAD; i++) {
    own += values[threadIdx.x * PER_THREAD + i];
  }

  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  int x = own;
  for (int step = 1; step <= 16; step *= 2) {
    const int y = __shfl_up_sync(~0u, x, step);
    x += lane >= step ? y : 0;
  }
  if (lane == 31) {
    warp_total[warp] = x;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int w = 0; w < BLOCK_SIZE / 32; w++) {
      const int v = warp_total[w];
      warp_total[w] = sum;
      sum += v;
    }
    tile_before = exchange(links, tile, sum);
  }
  __syncthreads();

  int run = tile_before + warp_total[warp] + x - own;
  for (int i = 0; i < PER_THREAD; i++) {
    run += values[threadIdx.x * PER_THREAD + i];
    values[threadIdx.x * PER_THREAD + i] = run;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < TILE_SIZE; i += BLOCK_SIZE) {
    if (start + i < length) {
      output[start + i] = values[i];
    }
  }
}

void scan(const int* input, int* output, int length) {
  if (length < 1) return;
  const int tiles = (length + TILE_SIZE - 1) / TILE_SIZE;
  Link* links;
  cudaMalloc(&links, tiles * sizeof(Link));
  cudaMemset(links, 0, tiles * sizeof(Link));
  scan_kernel<<<tiles, BLOCK_SIZE>>>(input, output, links, length);
  cudaDeviceSynchronize();
  cudaFree(links);
}
