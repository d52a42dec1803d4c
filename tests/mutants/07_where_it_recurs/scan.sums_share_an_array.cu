// SPDX-License-Identifier: Apache-2.0
//
// Wrong answer, kept for tests: the sums of all levels are in one array.

#include "scan.h"

#define BLOCK_SIZE 128
#define COARSE 8
#define TILE (BLOCK_SIZE * COARSE)

__global__ void scan_tile(const int* input, int* output, int* sums, int length) {
  __shared__ int tile[TILE];
  __shared__ int warp_total[4];
  const int start = blockIdx.x * TILE;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  for (int k = 0; k < COARSE; ++k) {
    const int i = k * BLOCK_SIZE + threadIdx.x;
    tile[i] = start + i < length ? input[start + i] : 0;
  }
  __syncthreads();

  int total = 0;
  for (int k = 0; k < COARSE; ++k) {
    total += tile[threadIdx.x * COARSE + k];
    tile[threadIdx.x * COARSE + k] = total;
  }
  int inclusive = total;
  for (int d = 1; d < 32; d *= 2) {
    const int n = __shfl_up_sync(0xffffffff, inclusive, d);
    if (lane >= d) inclusive += n;
  }
  if (lane == 31) warp_total[warp] = inclusive;
  __syncthreads();
  int offset = inclusive - total;
  for (int w = 0; w < warp; ++w) offset += warp_total[w];
  for (int k = 0; k < COARSE; ++k) tile[threadIdx.x * COARSE + k] += offset;
  __syncthreads();

  for (int k = 0; k < COARSE; ++k) {
    const int i = k * BLOCK_SIZE + threadIdx.x;
    if (start + i < length) output[start + i] = tile[i];
  }
  if (sums != nullptr && threadIdx.x == 0) sums[blockIdx.x] = tile[TILE - 1];
}

__global__ void add_before(int* output, const int* sums, int length) {
  if (blockIdx.x == 0) return;
  const int before = sums[blockIdx.x - 1];
  for (int k = threadIdx.x; k < TILE; k += BLOCK_SIZE) {
    const int i = blockIdx.x * TILE + k;
    if (i < length) output[i] += before;
  }
}

void scan(const int* input, int* output, int length) {
  static int* sums = nullptr;  // keep it: cudaMalloc is slow
  static int capacity = 0;
  if (length <= 0) return;

  const int tiles = (length + TILE - 1) / TILE;
  if (tiles == 1) {
    scan_tile<<<1, BLOCK_SIZE>>>(input, output, nullptr, length);
    return;
  }
  if (tiles > capacity) {
    cudaFree(sums);
    cudaMalloc(&sums, tiles * sizeof(int));
    capacity = tiles;
  }
  scan_tile<<<tiles, BLOCK_SIZE>>>(input, output, sums, length);
  scan(sums, sums, tiles);  // the tile sums are just another, shorter scan
  add_before<<<tiles, BLOCK_SIZE>>>(output, sums, length);
}
