// SPDX-License-Identifier: Apache-2.0
// mistake: In the second kernel every thread adds up the sums of all tiles before its own, one by one. The work grows
//   with the square of length: for a long input (512 tiles and more) the warps execute more than 3.5 x length
//   instructions, and load more than 20 sectors per 32 elements. Values are right.
// want: With 1,048,576 elements, how many sums does a thread of the last tile add up? How many threads of its block
//   compute the same number?

#include "scan.h"

#define BLOCK_SIZE 128
#define PER_THREAD 4
#define TILE (BLOCK_SIZE * PER_THREAD)

__global__ void scan_tiles(const int* input, int* output, int* sums, int length) {
  __shared__ int tile[TILE];
  __shared__ int warp_sums[BLOCK_SIZE / 32];
  const int t = threadIdx.x;
  const int begin = blockIdx.x * TILE;

  for (int i = t; i < TILE; i += BLOCK_SIZE) {
    tile[i] = begin + i < length ? input[begin + i] : 0;
  }
  __syncthreads();

  const int a = tile[4 * t];
  const int b = a + tile[4 * t + 1];
  const int c = b + tile[4 * t + 2];
  const int d = c + tile[4 * t + 3];
  int all = d;
  for (int step = 1; step < 32; step *= 2) {
    const int lower = __shfl_up_sync(0xffffffff, all, step);
    if (t % 32 >= step) all += lower;
  }
  if (t % 32 == 31) warp_sums[t / 32] = all;
  __syncthreads();
  int before = all - d;
  for (int w = 0; w < t / 32; ++w) before += warp_sums[w];
  tile[4 * t] = before + a;
  tile[4 * t + 1] = before + b;
  tile[4 * t + 2] = before + c;
  tile[4 * t + 3] = before + d;
  if (t == BLOCK_SIZE - 1) sums[blockIdx.x] = before + d;
  __syncthreads();

  for (int i = t; i < TILE; i += BLOCK_SIZE) {
    if (begin + i < length) output[begin + i] = tile[i];
  }
}

__global__ void add_tiles_before(int* output, const int* sums, int length) {
  int before = 0;
  for (int tile = 0; tile < blockIdx.x; ++tile) {
    before += sums[tile];
  }
  for (int k = 0; k < PER_THREAD; ++k) {
    const int i = blockIdx.x * TILE + k * BLOCK_SIZE + threadIdx.x;
    if (i < length) output[i] += before;
  }
}

void scan(const int* input, int* output, int length) {
  const int tiles = (length + TILE - 1) / TILE;
  if (tiles == 0) return;
  int* sums;
  cudaMalloc((void**)&sums, tiles * sizeof(int));
  scan_tiles<<<tiles, BLOCK_SIZE>>>(input, output, sums, length);
  add_tiles_before<<<tiles, BLOCK_SIZE>>>(output, sums, length);
  cudaFree(sums);
}
