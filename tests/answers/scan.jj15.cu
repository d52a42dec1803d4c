// SPDX-License-Identifier: Apache-2.0
// mistake: cudaMemset(offsets, 0, blocks) clears `blocks` bytes, a quarter of the `blocks` ints. The atomic additions
//   start from whatever the rest held. It shows for every length above 0 (with one tile, three bytes of the only
//   offset are left over), unless the fresh memory happens to be 0.
// want: In which unit is the third argument of cudaMemset? What does offsets[blocks - 1] hold before the kernel starts?

#include "scan.h"

#define BLOCK_SIZE 256
#define COARSE 16
#define TILE (BLOCK_SIZE * COARSE)

// Scans each tile, and adds the sum of the tile to the offsets of all later tiles.
__global__ void scan_tiles(const int* input, int* output, int* offsets, int length) {
  __shared__ int tile[TILE];
  __shared__ int sums[BLOCK_SIZE];
  const int start = blockIdx.x * TILE;

  for (int k = 0; k < COARSE; ++k) {
    const int t = k * BLOCK_SIZE + threadIdx.x;
    tile[t] = start + t < length ? input[start + t] : 0;
  }
  __syncthreads();

  int sum = 0;
  for (int k = 0; k < COARSE; ++k) {
    sum += tile[threadIdx.x * COARSE + k];
    tile[threadIdx.x * COARSE + k] = sum;
  }
  sums[threadIdx.x] = sum;
  __syncthreads();

  for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
    const int before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }

  // Instead of a scan of the totals: integer additions may come in any order.
  const int total = sums[BLOCK_SIZE - 1];
  for (int b = blockIdx.x + 1 + threadIdx.x; b < gridDim.x; b += BLOCK_SIZE) {
    atomicAdd(&offsets[b], total);
  }

  for (int k = 0; k < COARSE; ++k) {
    const int t = k * BLOCK_SIZE + threadIdx.x;
    const int thread = t / COARSE;
    if (start + t < length) {
      output[start + t] = tile[t] + (thread > 0 ? sums[thread - 1] : 0);
    }
  }
}

__global__ void add_offsets(int* output, const int* offsets, int length) {
  const int offset = offsets[blockIdx.x];
  for (int k = 0; k < COARSE; ++k) {
    const int i = blockIdx.x * TILE + k * BLOCK_SIZE + threadIdx.x;
    if (i < length) {
      output[i] += offset;
    }
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) {
    return;
  }
  const int blocks = (length + TILE - 1) / TILE;
  int* offsets;
  cudaMalloc(&offsets, blocks * sizeof(int));
  cudaMemset(offsets, 0, blocks);
  scan_tiles<<<blocks, BLOCK_SIZE>>>(input, output, offsets, length);
  add_offsets<<<blocks, BLOCK_SIZE>>>(output, offsets, length);
  cudaFree(offsets);
}
