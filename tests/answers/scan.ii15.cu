// SPDX-License-Identifier: Apache-2.0
// mistake: The second kernel takes the last output of the tile before as the sum of all elements before. But all
//   blocks run at the same time: block 1 is just adding to that element while block 2 reads it, and mostly it is
//   still the sum of one tile alone. Tiles 0 and 1 are right; from tile 2 on (length above 4096) each gets the sum
//   of one or a few tiles before it instead of all, and it changes from run to run.
// want: When is output[start - 1] of tile 2 complete, and who completes it? When does block 2 read it?

#include "scan.h"

#define BLOCK_SIZE 256
#define K 8

__global__ void scan_each_tile(const int* input, int* output, int length) {
  // +1 int after each 32 against bank conflicts
  __shared__ int tile[BLOCK_SIZE * K + BLOCK_SIZE * K / 32];
  __shared__ int buffer[2][BLOCK_SIZE];
  const int start = blockIdx.x * BLOCK_SIZE * K;

  for (int k = 0; k < K; k++) {
    const int j = k * BLOCK_SIZE + threadIdx.x;
    tile[j + j / 32] = start + j < length ? input[start + j] : 0;
  }
  __syncthreads();

  int sum = 0;
  for (int k = 0; k < K; k++) {
    const int j = threadIdx.x * K + k;
    sum += tile[j + j / 32];
    tile[j + j / 32] = sum;
  }
  buffer[0][threadIdx.x] = sum;
  __syncthreads();

  int now = 0;
  for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
    const int before = threadIdx.x >= distance ? buffer[now][threadIdx.x - distance] : 0;
    buffer[1 - now][threadIdx.x] = buffer[now][threadIdx.x] + before;
    now = 1 - now;
    __syncthreads();
  }

  const int before = threadIdx.x == 0 ? 0 : buffer[now][threadIdx.x - 1];
  for (int k = 0; k < K; k++) {
    const int j = threadIdx.x * K + k;
    tile[j + j / 32] += before;
  }
  __syncthreads();
  for (int k = 0; k < K; k++) {
    const int j = k * BLOCK_SIZE + threadIdx.x;
    if (start + j < length) {
      output[start + j] = tile[j + j / 32];
    }
  }
}

// The last element of the tile before is the sum of everything before this tile.
// No extra array needed!
__global__ void connect_tiles(int* output, int length) {
  const int start = (blockIdx.x + 1) * BLOCK_SIZE * K;
  __shared__ int before;
  if (threadIdx.x == 0) {
    before = output[start - 1];
  }
  __syncthreads();
  for (int k = 0; k < K; k++) {
    const int i = start + k * BLOCK_SIZE + threadIdx.x;
    if (i < length) {
      output[i] += before;
    }
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int tiles = (length + BLOCK_SIZE * K - 1) / (BLOCK_SIZE * K);
  scan_each_tile<<<tiles, BLOCK_SIZE>>>(input, output, length);
  if (tiles > 1) {
    connect_tiles<<<tiles - 1, BLOCK_SIZE>>>(output, length);
  }
}
