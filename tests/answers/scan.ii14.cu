// SPDX-License-Identifier: Apache-2.0
// mistake: The tile has 512 x 32 ints = 64 KiB of dynamic shared memory. More than 48 KiB has to be allowed first with
//   cudaFuncSetAttribute(..., cudaFuncAttributeMaxDynamicSharedMemorySize, ...). Without it the launch fails
//   (invalid argument), nobody looks at the error, and no tile is scanned; the kernels after it add sums that nobody
//   has stored to whatever is in output. Shows for every length above 0.
// want: What does cudaGetLastError() say right after the first launch? How many bytes of shared memory does a block
//   ask for, and how many does it get without asking specially?

#include "scan.h"

#define BLOCK_SIZE 512
#define PER_THREAD 32
#define TILE (BLOCK_SIZE * PER_THREAD)

// A big tile means few barriers per element. nvcc does not want an array that big ("too much shared data"), but
// with extern it works.
__global__ void scan_tiles(const int* input, int* output, int* totals, int length) {
  extern __shared__ int tile[];
  __shared__ int warp_totals[BLOCK_SIZE / 32];
  const int thread = threadIdx.x;
  const int begin = blockIdx.x * TILE;

  for (int i = thread; i < TILE; i += BLOCK_SIZE) {
    tile[i] = begin + i < length ? input[begin + i] : 0;
  }
  __syncthreads();

  int own = 0;
  for (int k = 0; k < PER_THREAD; k++) {
    // start at another element in each thread: no bank conflicts
    own += tile[thread * PER_THREAD + (k + thread) % PER_THREAD];
  }
  int sum = own;
  for (int d = 1; d < 32; d *= 2) {
    const int from = __shfl_up_sync(0xffffffff, sum, d);
    if (thread % 32 >= d) {
      sum += from;
    }
  }
  if (thread % 32 == 31) {
    warp_totals[thread / 32] = sum;
  }
  __syncthreads();

  int before = sum - own;
  for (int w = 0; w < thread / 32; w++) {
    before += warp_totals[w];
  }
  for (int k = 0; k < PER_THREAD; k++) {
    before += tile[thread * PER_THREAD + k];
    tile[thread * PER_THREAD + k] = before;
  }
  __syncthreads();

  for (int i = thread; i < TILE; i += BLOCK_SIZE) {
    if (begin + i < length) {
      output[begin + i] = tile[i];
    }
  }
  if (thread == BLOCK_SIZE - 1) {
    totals[blockIdx.x] = before;
  }
}

__global__ void scan_totals(int* totals, int tiles) {
  for (int b = 1; b < tiles; b++) {
    totals[b] += totals[b - 1];
  }
}

__global__ void add_totals(int* output, const int* totals, int length) {
  const int begin = blockIdx.x * TILE;
  const int add = blockIdx.x == 0 ? 0 : totals[blockIdx.x - 1];
  for (int i = begin + threadIdx.x; i < min(begin + TILE, length); i += BLOCK_SIZE) {
    output[i] += add;
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) {
    return;
  }
  const int tiles = (length + TILE - 1) / TILE;
  int* totals;
  cudaMalloc(&totals, tiles * sizeof(int));
  scan_tiles<<<tiles, BLOCK_SIZE, TILE * sizeof(int)>>>(input, output, totals, length);
  scan_totals<<<1, 1>>>(totals, tiles);
  add_totals<<<tiles, BLOCK_SIZE>>>(output, totals, length);
  cudaFree(totals);
}
