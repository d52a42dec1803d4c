// SPDX-License-Identifier: Apache-2.0
// mistake: In the second kernel every thread adds up the totals of all tiles before its own. The tiles are small (512
//   elements), so already for 262,144 elements that is 256 loads per thread on average: about 64 sectors per 32
//   elements (20 are allowed) and more than 3.5 instructions per element; it grows with length squared. Values right.
// want: How many totals does a thread of the last block add up? Which other threads compute the same sum? Who could
//   compute it once for all of them?

#include "scan.h"

constexpr int kThreads = 128, kItems = 4, kTile = kThreads * kItems;

// Inclusive scan over the 32 lanes.
__device__ int warp_scan(int value) {
  const int lane = threadIdx.x % 32;
  for (int d = 1; d < 32; d *= 2) {
    const int other = __shfl_up_sync(0xffffffffu, value, d);
    if (lane >= d) value += other;
  }
  return value;
}

__global__ void scan_tiles(const int* input, int* output, int* totals, int length) {
  __shared__ int tile[kTile];
  __shared__ int warp_sums[kThreads / 32];
  const int start = blockIdx.x * kTile;
  for (int j = threadIdx.x; j < kTile; j += kThreads) {
    tile[j] = start + j < length ? input[start + j] : 0;
  }
  __syncthreads();

  int v[kItems], sum = 0;
  for (int k = 0; k < kItems; ++k) {
    sum += tile[threadIdx.x * kItems + k];
    v[k] = sum;
  }
  const int inclusive = warp_scan(sum);
  if (threadIdx.x % 32 == 31) warp_sums[threadIdx.x / 32] = inclusive;
  __syncthreads();

  int before = inclusive - sum;
  for (int w = 0; w < threadIdx.x / 32; ++w) before += warp_sums[w];
  for (int k = 0; k < kItems; ++k) tile[threadIdx.x * kItems + k] = before + v[k];
  __syncthreads();

  for (int j = threadIdx.x; j < kTile; j += kThreads) {
    if (start + j < length) output[start + j] = tile[j];
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = tile[kTile - 1];
}

__global__ void add_previous_tiles(int* output, const int* totals, int length) {
  // The totals are few and all threads read the same one, so this is a broadcast and costs next to nothing.
  int before = 0;
  for (int b = 0; b < blockIdx.x; ++b) {
    before += totals[b];
  }
  for (int k = 0; k < kItems; ++k) {
    const int i = blockIdx.x * kTile + k * kThreads + threadIdx.x;
    if (i < length) output[i] += before;
  }
}

void scan(const int* input, int* output, int length) {
  const int blocks = (length + kTile - 1) / kTile;
  if (blocks == 0) return;
  int* totals;
  cudaMalloc(&totals, blocks * sizeof(int));
  scan_tiles<<<blocks, kThreads>>>(input, output, totals, length);
  add_previous_tiles<<<blocks, kThreads>>>(output, totals, length);
  cudaFree(totals);
}
