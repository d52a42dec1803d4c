// SPDX-License-Identifier: Apache-2.0
// mistake: One block scans the sums of all tiles with one thread per tile. A block has at most 1024 threads: with
//   more than 1024 tiles of 1024 elements, above 1,048,576 elements, this launch fails, and the tiles after the first
//   get the sum of one tile added, not of all before. Right up to 1,048,576.
// want: How many threads does your second launch ask for with 2,000,000 elements? What does cudaGetLastError() say?

#include "scan.h"

#define BLOCK_SIZE 256
#define PER_THREAD 4
#define TILE (BLOCK_SIZE * PER_THREAD)

__device__ int scan_warp(int value) {
  const int lane = threadIdx.x & 31;
  for (int d = 1; d < 32; d <<= 1) {
    int left = __shfl_up_sync(0xffffffffu, value, d);
    if (lane >= d) value += left;
  }
  return value;
}

__global__ void scan_tiles(const int* input, int* output, int* tile_sums, int length) {
  __shared__ int tile[TILE];
  __shared__ int warps[BLOCK_SIZE / 32];
  const int base = blockIdx.x * TILE;
  for (int k = threadIdx.x; k < TILE; k += BLOCK_SIZE) tile[k] = base + k < length ? input[base + k] : 0;
  __syncthreads();

  int* mine = tile + threadIdx.x * PER_THREAD;
  for (int k = 1; k < PER_THREAD; ++k) mine[k] += mine[k - 1];
  const int own = mine[PER_THREAD - 1];
  const int inclusive = scan_warp(own);
  if (threadIdx.x % 32 == 31) warps[threadIdx.x / 32] = inclusive;
  __syncthreads();

  int offset = inclusive - own;
  for (int w = 0; w < threadIdx.x / 32; ++w) offset += warps[w];
  for (int k = 0; k < PER_THREAD; ++k) mine[k] += offset;
  if (threadIdx.x == BLOCK_SIZE - 1) tile_sums[blockIdx.x] = mine[PER_THREAD - 1];
  __syncthreads();

  for (int k = threadIdx.x; k < TILE; k += BLOCK_SIZE) {
    if (base + k < length) output[base + k] = tile[k];
  }
}

// One block, one thread for each tile.
__global__ void scan_sums(int* tile_sums) {
  extern __shared__ int sums[];
  const int t = threadIdx.x;
  sums[t] = tile_sums[t];
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    const int before = t >= d ? sums[t - d] : 0;
    __syncthreads();
    sums[t] += before;
    __syncthreads();
  }
  tile_sums[t] = sums[t];
}

__global__ void add_sums(int* output, const int* tile_sums, int length) {
  const int tile = blockIdx.x + 1;  // the first tile is finished
  const int before = tile_sums[tile - 1];
  for (int k = threadIdx.x; k < TILE; k += BLOCK_SIZE) {
    const int i = tile * TILE + k;
    if (i < length) output[i] += before;
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int tiles = (length + TILE - 1) / TILE;
  int* tile_sums;
  cudaMalloc(&tile_sums, tiles * sizeof(int));
  scan_tiles<<<tiles, BLOCK_SIZE>>>(input, output, tile_sums, length);
  if (tiles > 1) {
    scan_sums<<<1, tiles, tiles * sizeof(int)>>>(tile_sums);
    add_sums<<<tiles - 1, BLOCK_SIZE>>>(output, tile_sums, length);
  }
  cudaFree(tile_sums);
}
