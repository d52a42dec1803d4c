// SPDX-License-Identifier: Apache-2.0
// mistake: The loads go through shared memory, but the last loop stores from registers: each thread its own 16
//   neighbours. A store of a warp then touches 32 sectors, 32 per 32 elements; 20 are allowed. Values are right and
//   all else is within the limits; every long input shows it.
// want: Where do the 32 threads of a warp store at the same time? You changed the order for the loads; what would it
//   take to change it back?

#include "scan.h"

#define THREADS 256
#define PER_THREAD 16
#define TILE (THREADS * PER_THREAD)

__device__ int block_exclusive(int value, int* total) {
  __shared__ int warps[THREADS / 32];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  int scanned = value;
  for (int d = 1; d < 32; d <<= 1) {
    int up = __shfl_up_sync(0xffffffff, scanned, d);
    if (lane >= d) scanned += up;
  }
  if (lane == 31) warps[warp] = scanned;
  __syncthreads();
  int before = 0, all = 0;
  for (int w = 0; w < THREADS / 32; ++w) {
    if (w < warp) before += warps[w];
    all += warps[w];
  }
  __syncthreads();
  *total = all;
  return before + scanned - value;
}

// Pass 1: only the sum of each tile.
__global__ void sum_tiles(const int* input, int* offsets, int length) {
  int sum = 0, total;
  for (int k = 0; k < PER_THREAD; ++k) {
    const int i = blockIdx.x * TILE + k * THREADS + threadIdx.x;
    if (i < length) sum += input[i];
  }
  block_exclusive(sum, &total);
  if (threadIdx.x == 0) offsets[blockIdx.x] = total;
}

// Pass 2: one block turns sums into offsets.
__global__ void scan_offsets(int* offsets, int tiles) {
  int carry = 0;
  for (int first = 0; first < tiles; first += THREADS) {
    const int t = first + threadIdx.x;
    int total;
    const int before = block_exclusive(t < tiles ? offsets[t] : 0, &total);
    if (t < tiles) offsets[t] = carry + before;
    carry += total;
  }
}

// Pass 3: the scan itself.
__global__ void scan_tiles(const int* input, int* output, const int* offsets, int length) {
  __shared__ int tile[TILE + TILE / 32];  // padded: no bank conflicts
  const int start = blockIdx.x * TILE;
  for (int k = 0; k < PER_THREAD; ++k) {
    const int j = k * THREADS + threadIdx.x;
    tile[j + j / 32] = start + j < length ? input[start + j] : 0;
  }
  __syncthreads();

  int v[PER_THREAD];
  int sum = 0;
  for (int k = 0; k < PER_THREAD; ++k) {
    const int j = threadIdx.x * PER_THREAD + k;
    sum += tile[j + j / 32];
    v[k] = sum;
  }
  int total;
  const int before = offsets[blockIdx.x] + block_exclusive(sum, &total);

  // v is in registers already, so it can go straight out.
  for (int k = 0; k < PER_THREAD; ++k) {
    const int i = start + threadIdx.x * PER_THREAD + k;
    if (i < length) output[i] = before + v[k];
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int tiles = (length + TILE - 1) / TILE;
  int* offsets;
  cudaMalloc(&offsets, tiles * sizeof(int));
  sum_tiles<<<tiles, THREADS>>>(input, offsets, length);
  scan_offsets<<<1, THREADS>>>(offsets, tiles);
  scan_tiles<<<tiles, THREADS>>>(input, output, offsets, length);
  cudaFree(offsets);
}
