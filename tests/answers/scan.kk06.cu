// SPDX-License-Identifier: Apache-2.0
// mistake: Loading goes through shared memory, but each thread stores its 8 neighbours straight from registers: the
//   lanes of a warp store 8 elements apart, 32 sectors per 32 elements, plus 4 when the sums are added; 20 are
//   allowed for a long input. Values are right.
// want: In one step of your store loop, which elements do lanes 0 and 1 store? You changed the order for the loads:
//   can the same memory help on the way back?

#include "scan.h"

#define BLOCK_SIZE 256
#define ITEMS 8
#define TILE (BLOCK_SIZE * ITEMS)
#define WARPS (BLOCK_SIZE / 32)

__global__ void scan_tiles(const int* input, int* output, int* tile_sums, int length) {
  __shared__ int staged[TILE];
  __shared__ int warp_sums[WARPS];
  const int start = blockIdx.x * TILE;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  // coalesced loads
  for (int j = 0; j < ITEMS; ++j) {
    const int k = j * BLOCK_SIZE + threadIdx.x;
    staged[k] = start + k < length ? input[start + k] : 0;
  }
  __syncthreads();

  // the thread's own elements, in registers
  int r[ITEMS];
  r[0] = staged[threadIdx.x * ITEMS];
#pragma unroll
  for (int j = 1; j < ITEMS; ++j) r[j] = r[j - 1] + staged[threadIdx.x * ITEMS + j];

  int x = r[ITEMS - 1];
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const int y = __shfl_up_sync(0xffffffff, x, d);
    if (lane >= d) x += y;
  }
  if (lane == 31) warp_sums[warp] = x;
  __syncthreads();
  int offset = x - r[ITEMS - 1];
  for (int w = 0; w < warp; ++w) offset += warp_sums[w];

  const int first = start + threadIdx.x * ITEMS;
#pragma unroll
  for (int j = 0; j < ITEMS; ++j) {
    if (first + j < length) output[first + j] = r[j] + offset;
  }
  if (threadIdx.x == BLOCK_SIZE - 1) tile_sums[blockIdx.x] = r[ITEMS - 1] + offset;
}

// A single warp scans the sums of the tiles, 32 at a time.
__global__ void scan_tile_sums(int* tile_sums, int tiles) {
  int carry = 0;
  for (int base = 0; base < tiles; base += 32) {
    const int i = base + threadIdx.x;
    int x = i < tiles ? tile_sums[i] : 0;
    for (int d = 1; d < 32; d *= 2) {
      const int y = __shfl_up_sync(0xffffffff, x, d);
      if (threadIdx.x >= d) x += y;
    }
    x += carry;
    if (i < tiles) tile_sums[i] = x;
    carry = __shfl_sync(0xffffffff, x, 31);
  }
}

__global__ void add_tile_sums(int* output, const int* tile_sums, int length) {
  if (blockIdx.x == 0) return;
  const int before = tile_sums[blockIdx.x - 1];
  const int end = min((int)(blockIdx.x + 1) * TILE, length);
  for (int i = blockIdx.x * TILE + threadIdx.x; i < end; i += BLOCK_SIZE) output[i] += before;
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int tiles = (length + TILE - 1) / TILE;
  int* tile_sums;
  cudaMalloc(&tile_sums, tiles * sizeof(int));
  scan_tiles<<<tiles, BLOCK_SIZE>>>(input, output, tile_sums, length);
  scan_tile_sums<<<1, 32>>>(tile_sums, tiles);
  add_tile_sums<<<tiles, BLOCK_SIZE>>>(output, tile_sums, length);
  cudaFree(tile_sums);
}
