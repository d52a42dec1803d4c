// SPDX-License-Identifier: Apache-2.0
// No barrier of a block: each warp has tiles of its own, one after another.
#include "merge_tiles.h"

#define WARPS 4
#define COARSE_FACTOR 17
#define TILE (32 * COARSE_FACTOR)

// How many of the first `taken` elements of the merged output come from a?
__device__ int count_from_a(const int* a, int a_length, const int* b, int b_length, int taken) {
  int low = max(0, taken - b_length);
  int high = min(taken, a_length);
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (a[middle] <= b[taken - 1 - middle]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

__global__ void merge_kernel(const int* a, int a_length, const int* b, int b_length, int* output) {
  __shared__ int tiles[WARPS][TILE];
  int* const tile = tiles[threadIdx.y];
  const int lane = threadIdx.x;
  const int length = a_length + b_length;
  const int warps = gridDim.x * WARPS;
  for (long long first = (blockIdx.x * WARPS + threadIdx.y) * TILE; first < length;
       first += 1ll * warps * TILE) {
    const int count = static_cast<int>(min(static_cast<long long>(TILE), length - first));
    // Lane 0 finds the beginning, lane 1 the end.
    int border = 0;
    if (lane < 2) {
      border = count_from_a(a, a_length, b, b_length, static_cast<int>(first) + (lane == 0 ? 0 : count));
    }
    const int a_first = __shfl_sync(0xffffffff, border, 0);
    const int a_count = __shfl_sync(0xffffffff, border, 1) - a_first;
    const int b_first = static_cast<int>(first) - a_first;
    for (int k = lane; k < count; k += 32) {
      tile[k] = k < a_count ? a[a_first + k] : b[b_first + k - a_count];
    }
    __syncwarp();
    const int begin = min(lane * COARSE_FACTOR, count);
    int i = count_from_a(tile, a_count, tile + a_count, count - a_count, begin);
    int j = a_count + begin - i;
    int merged[COARSE_FACTOR];
#pragma unroll
    for (int k = 0; k < COARSE_FACTOR; ++k) {
      if (begin + k < count) {
        const bool take_a = i < a_count && (j >= count || tile[i] <= tile[j]);
        merged[k] = tile[take_a ? i : j];
        i += take_a;
        j += !take_a;
      }
    }
    __syncwarp();
#pragma unroll
    for (int k = 0; k < COARSE_FACTOR; ++k) {
      if (begin + k < count) tile[begin + k] = merged[k];
    }
    __syncwarp();
    for (int k = lane; k < count; k += 32) output[first + k] = tile[k];
    __syncwarp();
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length == 0) return;
  const int blocks = (length - 1) / (WARPS * TILE) + 1;
  merge_kernel<<<min(blocks, 256), dim3(32, WARPS)>>>(a, a_length, b, b_length, output);
}
