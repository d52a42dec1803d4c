// SPDX-License-Identifier: Apache-2.0
// mistake: __shfl_up_sync stands inside if (lane >= d), but its mask names all 32 lanes. The lanes below d never call
//   it: undefined, and the lanes that read from one of them (lanes d to 2d - 1) get no defined value. Sums may be
//   wrong, or a warp hang, for every length above 1.
// want: Which lanes call the shuffle when d is 16? Which lanes does the mask promise? Who must take part so that lane
//   16 can read the value of lane 0?

#include "scan.h"

#define WARPS 8
#define THREADS (32 * WARPS)
#define ITEMS 8
#define TILE (THREADS * ITEMS)
#define FULL 0xffffffffu

__device__ int warp_inclusive(int v) {
  const int lane = threadIdx.x % 32;
  for (int d = 1; d < 32; d *= 2) {
    if (lane >= d) {
      v += __shfl_up_sync(FULL, v, d);
    }
  }
  return v;
}

__device__ int block_inclusive(int v, int* warp_sums) {
  const int warp = threadIdx.x / 32;
  v = warp_inclusive(v);
  if (threadIdx.x % 32 == 31) {
    warp_sums[warp] = v;
  }
  __syncthreads();
  for (int w = 0; w < warp; ++w) {
    v += warp_sums[w];
  }
  return v;
}

__global__ void scan_tiles(const int* input, int* output, int* totals, int length) {
  __shared__ int tile[TILE];
  __shared__ int warp_sums[WARPS];
  const int start = blockIdx.x * TILE;
#pragma unroll
  for (int k = 0; k < ITEMS; ++k) {
    const int i = start + k * THREADS + threadIdx.x;
    tile[k * THREADS + threadIdx.x] = i < length ? input[i] : 0;
  }
  __syncthreads();

  int v[ITEMS];
  int sum = 0;
#pragma unroll
  for (int k = 0; k < ITEMS; ++k) {
    sum += tile[threadIdx.x * ITEMS + k];
    v[k] = sum;
  }
  const int up_to_me = block_inclusive(sum, warp_sums);
#pragma unroll
  for (int k = 0; k < ITEMS; ++k) {
    tile[threadIdx.x * ITEMS + k] = v[k] + up_to_me - sum;
  }
  if (threadIdx.x == THREADS - 1) {
    totals[blockIdx.x] = up_to_me;
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < ITEMS; ++k) {
    const int i = start + k * THREADS + threadIdx.x;
    if (i < length) {
      output[i] = tile[k * THREADS + threadIdx.x];
    }
  }
}

__global__ void scan_totals(int* totals, int count) {
  __shared__ int warp_sums[WARPS];
  __shared__ int last;
  int carry = 0;
  for (int start = 0; start < count; start += THREADS) {
    const int i = start + threadIdx.x;
    const int v = carry + block_inclusive(i < count ? totals[i] : 0, warp_sums);
    if (i < count) {
      totals[i] = v;
    }
    if (threadIdx.x == THREADS - 1) {
      last = v;
    }
    __syncthreads();
    carry = last;
    __syncthreads();
  }
}

__global__ void add_totals(int* output, const int* totals, int length) {
  const int before = blockIdx.x > 0 ? totals[blockIdx.x - 1] : 0;
#pragma unroll
  for (int k = 0; k < ITEMS; ++k) {
    const int i = blockIdx.x * TILE + k * THREADS + threadIdx.x;
    if (i < length) {
      output[i] += before;
    }
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) {
    return;
  }
  const int blocks = (length - 1) / TILE + 1;
  int* totals = nullptr;
  cudaMalloc(&totals, sizeof(int) * blocks);
  scan_tiles<<<blocks, THREADS>>>(input, output, totals, length);
  scan_totals<<<1, THREADS>>>(totals, blocks);
  add_totals<<<blocks, THREADS>>>(output, totals, length);
  cudaFree(totals);
}
