// SPDX-License-Identifier: Apache-2.0
// mistake: Within a warp, the sums of the threads are scanned in shared memory with no __syncwarp() between reading a
//   neighbour's sum and overwriting one's own. Lanes do not run in lockstep for sure: a lane may add a sum that is
//   not yet, or already, updated. A race for every length above 8; whether it shows depends on GPU and compiler.
// want: In the step with distance 1, lane 5 reads sums of lane 4 while lane 4 changes it. What makes one happen
//   before the other? What does the CUDA guide say about warps since Volta?

#include "scan.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

__global__ void scan_tiles(const int* input, int* output, int* tile_sums, int length) {
  __shared__ int tile[TILE];
  __shared__ int sums[BLOCK_SIZE];
  const int t = threadIdx.x;
  const int lane = t & 31;
  const int start = blockIdx.x * TILE;

  for (int i = t; i < TILE; i += BLOCK_SIZE) {
    tile[i] = start + i < length ? input[start + i] : 0;
  }
  __syncthreads();

  int sum = 0;
  for (int i = 0; i < COARSE_FACTOR; ++i) {
    sum += tile[t * COARSE_FACTOR + i];
    tile[t * COARSE_FACTOR + i] = sum;
  }
  sums[t] = sum;

  // the 32 threads of a warp run in lockstep, so no barriers in here
  if (lane >= 1) sums[t] += sums[t - 1];
  if (lane >= 2) sums[t] += sums[t - 2];
  if (lane >= 4) sums[t] += sums[t - 4];
  if (lane >= 8) sums[t] += sums[t - 8];
  if (lane >= 16) sums[t] += sums[t - 16];
  __syncthreads();

  int before = lane > 0 ? sums[t - 1] : 0;
  for (int w = 31; w < t - lane; w += 32) {
    before += sums[w];  // the warps before mine
  }
  for (int i = 0; i < COARSE_FACTOR; ++i) {
    tile[t * COARSE_FACTOR + i] += before;
  }
  __syncthreads();

  for (int i = t; i < TILE; i += BLOCK_SIZE) {
    if (start + i < length) output[start + i] = tile[i];
  }
  if (t == 0) tile_sums[blockIdx.x] = tile[TILE - 1];
}

__global__ void add_sums(int* output, const int* scanned, int length) {
  const int before = blockIdx.x == 0 ? 0 : scanned[blockIdx.x - 1];
  for (int i = threadIdx.x; i < TILE; i += BLOCK_SIZE) {
    const int k = blockIdx.x * TILE + i;
    if (k < length) output[k] += before;
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int tiles = (length + TILE - 1) / TILE;
  int* tile_sums;
  cudaMalloc(&tile_sums, 2 * tiles * sizeof(int));
  scan_tiles<<<tiles, BLOCK_SIZE>>>(input, output, tile_sums, length);
  if (tiles > 1) {
    scan(tile_sums, tile_sums + tiles, tiles);
    add_sums<<<tiles, BLOCK_SIZE>>>(output, tile_sums + tiles, length);
  }
  cudaFree(tile_sums);
}
