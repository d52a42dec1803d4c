// SPDX-License-Identifier: Apache-2.0
// mistake: next_tile, the counter that hands out the tiles, is a __device__ variable and starts at 0 once per program,
//   not once per call. From the second call of scan on, the blocks take tiles that do not exist: they read ready[] out
//   of bounds, or wait for a tile that nobody computes. The first call is right.
// want: What is next_tile when scan() is called for the second time? Who should set it back?

#include "scan.h"

// Single pass: each tile waits for the sum of the tile before. Blocks take their tiles in the order in which they
// start (not blockIdx.x!), so the tile before is always running already and there is no deadlock.

constexpr int kThreads = 256;
constexpr int kItems = 16;
constexpr int kTile = kThreads * kItems;

__device__ unsigned next_tile = 0;

__global__ void scan_kernel(const int* input, int* output, volatile int* prefix, volatile int* ready, int length) {
  __shared__ int tile[kTile];
  __shared__ int warp_sums[kThreads / 32];
  __shared__ int my_tile, offset;

  if (threadIdx.x == 0) {
    my_tile = atomicAdd(&next_tile, 1u);
  }
  __syncthreads();
  const int t = my_tile;
  const int start = t * kTile;

  for (int j = threadIdx.x; j < kTile; j += kThreads) {
    tile[j] = start + j < length ? input[start + j] : 0;
  }
  __syncthreads();

  int v[kItems];
  int sum = 0;
  for (int k = 0; k < kItems; ++k) {
    sum += tile[threadIdx.x * kItems + k];
    v[k] = sum;
  }
  int scanned = sum;
  for (int d = 1; d < 32; d *= 2) {
    const int up = __shfl_up_sync(0xffffffffu, scanned, d);
    if (threadIdx.x % 32 >= d) {
      scanned += up;
    }
  }
  if (threadIdx.x % 32 == 31) {
    warp_sums[threadIdx.x / 32] = scanned;
  }
  __syncthreads();
  for (int w = 0; w < threadIdx.x / 32; ++w) {
    scanned += warp_sums[w];
  }

  // The last thread knows the sum of the tile: it is the one that talks to the other blocks.
  if (threadIdx.x == kThreads - 1) {
    int before = 0;
    if (t > 0) {
      while (ready[t - 1] == 0) {
      }
      __threadfence();
      before = prefix[t - 1];
    }
    prefix[t] = before + scanned;
    __threadfence();
    ready[t] = 1;
    offset = before;
  }
  __syncthreads();

  const int add = offset + scanned - sum;
  for (int k = 0; k < kItems; ++k) {
    tile[threadIdx.x * kItems + k] = v[k] + add;
  }
  __syncthreads();
  for (int j = threadIdx.x; j < kTile; j += kThreads) {
    if (start + j < length) {
      output[start + j] = tile[j];
    }
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) {
    return;
  }
  const int tiles = (length + kTile - 1) / kTile;
  int* state;
  cudaMalloc(&state, 2 * tiles * sizeof(int));
  cudaMemset(state, 0, 2 * tiles * sizeof(int));
  scan_kernel<<<tiles, kThreads>>>(input, output, state, state + tiles, length);
  cudaFree(state);
}
