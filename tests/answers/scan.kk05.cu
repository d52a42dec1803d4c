// SPDX-License-Identifier: Apache-2.0
// mistake: The second kernel takes the sums of the tiles before from the last element of each tile in output, while
//   other blocks of the same kernel add to these elements. A block that comes late counts earlier tiles twice. A race
//   between blocks from three tiles on (above 8192 elements); right up to two tiles.
// want: Block 2 reads output[8191]. Who writes it in the same kernel, and what tells block 2 whether it gets the old
//   value or the new one?

#include "scan.h"

#define BLOCK_SIZE 256
#define PER_THREAD 16
#define TILE (BLOCK_SIZE * PER_THREAD)

// Kernel 1: every tile on its own.
__global__ void scan_tiles(const int* input, int* output, int length) {
  __shared__ int tile[TILE];
  __shared__ int warp_sums[BLOCK_SIZE / 32];
  const int first = blockIdx.x * TILE;
  const int n = min(TILE, length - first);
  for (int i = threadIdx.x; i < TILE; i += BLOCK_SIZE) tile[i] = i < n ? input[first + i] : 0;
  __syncthreads();

  int sum = 0;
  for (int i = 0; i < PER_THREAD; ++i) sum += tile[threadIdx.x * PER_THREAD + i];
  int upto = sum;
  for (int d = 1; d < 32; d *= 2) {
    const int other = __shfl_up_sync(0xffffffff, upto, d);
    if (threadIdx.x % 32 >= d) upto += other;
  }
  if (threadIdx.x % 32 == 31) warp_sums[threadIdx.x / 32] = upto;
  __syncthreads();
  int running = upto - sum;
  for (int w = 0; w < threadIdx.x / 32; ++w) running += warp_sums[w];
  for (int i = 0; i < PER_THREAD; ++i) {
    running += tile[threadIdx.x * PER_THREAD + i];
    tile[threadIdx.x * PER_THREAD + i] = running;
  }
  __syncthreads();

  for (int i = threadIdx.x; i < n; i += BLOCK_SIZE) output[first + i] = tile[i];
}

// Kernel 2: the last element of a tile IS the sum of the tile, so no extra array is needed.
__global__ void add_tiles(int* output, int length) {
  __shared__ int before;
  if (threadIdx.x == 0) before = 0;
  __syncthreads();

  int sum = 0;
  for (int t = threadIdx.x; t < blockIdx.x; t += BLOCK_SIZE) sum += output[(t + 1) * TILE - 1];
  if (sum != 0) atomicAdd(&before, sum);
  __syncthreads();

  const int first = blockIdx.x * TILE;
  const int n = min(TILE, length - first);
  for (int i = threadIdx.x; i < n; i += BLOCK_SIZE) output[first + i] += before;
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int tiles = (length + TILE - 1) / TILE;
  scan_tiles<<<tiles, BLOCK_SIZE>>>(input, output, length);
  if (tiles > 1) add_tiles<<<tiles, BLOCK_SIZE>>>(output, length);
}
