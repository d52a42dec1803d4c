// SPDX-License-Identifier: Apache-2.0
// differs: the first kernel only adds up each block's part of the input; one block of 128 blocks' sums scans
// them; the last kernel loads the input again and stores output once. The number of blocks is fixed.

#include "scan.h"

#define BLOCK_SIZE 128
#define BLOCKS 128
#define COARSE_FACTOR 16
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

// Elements of a block: whole tiles, rounded up.
__host__ __device__ int part_of(int length) {
  const int tiles = (length - 1) / TILE + 1;
  return ((tiles - 1) / BLOCKS + 1) * TILE;
}

// Replaces the sum of each thread by the sum through it.
__device__ void scan_sums_of_threads(int* sums) {
  for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
    const int before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }
}

__global__ void add_up_parts(const int* input, int* sums, int length) {
  __shared__ int total;
  if (threadIdx.x == 0) {
    total = 0;
  }
  __syncthreads();
  int sum = 0;
  const int part = part_of(length);
  for (int k = threadIdx.x; k < part; k += BLOCK_SIZE) {
    const long long i = static_cast<long long>(blockIdx.x) * part + k;
    if (i < length) {
      sum += input[i];
    }
  }
  atomicAdd(&total, sum);
  __syncthreads();
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = total;
  }
}

__global__ void scan_of_parts(int* sums) {
  __shared__ int all[BLOCKS];
  all[threadIdx.x] = sums[threadIdx.x];
  __syncthreads();
  scan_sums_of_threads(all);
  sums[threadIdx.x] = all[threadIdx.x];
}

__global__ void scan_parts(const int* input, int* output, const int* sums, int length) {
  __shared__ int tile[TILE];
  __shared__ int thread_sums[BLOCK_SIZE];
  int before = blockIdx.x > 0 ? sums[blockIdx.x - 1] : 0;
  const int part = part_of(length), t = threadIdx.x;
  for (int begin = 0; begin < part; begin += TILE) {
    const long long first = static_cast<long long>(blockIdx.x) * part + begin;
    for (int k = t; k < TILE; k += BLOCK_SIZE) {
      tile[k] = first + k < length ? input[first + k] : 0;
    }
    __syncthreads();
    int* mine = tile + t * COARSE_FACTOR;
    for (int k = 1; k < COARSE_FACTOR; ++k) {
      mine[k] += mine[k - 1];
    }
    thread_sums[t] = mine[COARSE_FACTOR - 1];
    __syncthreads();
    scan_sums_of_threads(thread_sums);
    const int before_me = before + (t > 0 ? thread_sums[t - 1] : 0);
    for (int k = 0; k < COARSE_FACTOR; ++k) {
      mine[k] += before_me;
    }
    before += thread_sums[BLOCK_SIZE - 1];
    __syncthreads();
    for (int k = t; k < TILE; k += BLOCK_SIZE) {
      if (first + k < length) {
        output[first + k] = tile[k];
      }
    }
    __syncthreads();
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  int* sums = nullptr;
  cudaMalloc(&sums, BLOCKS * sizeof(int));
  add_up_parts<<<BLOCKS, BLOCK_SIZE>>>(input, sums, length);
  scan_of_parts<<<1, BLOCKS>>>(sums);
  scan_parts<<<BLOCKS, BLOCK_SIZE>>>(input, output, sums, length);
  cudaFree(sums);
}
