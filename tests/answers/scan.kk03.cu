// SPDX-License-Identifier: Apache-2.0
// mistake: The kernels see the arrays as length / 4 int4s. The last length % 4 elements are neither loaded nor
//   stored: output keeps there what it held before the call (and below 4 elements the launch has no blocks). Right
//   for multiples of 4.
// want: With length 10, which thread computes output[8]? How many int4s does a length of 10 hold?

#include "scan.h"

#define BLOCK_SIZE 256

__device__ int block_scan(int value, int* warp_sums) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int d = 1; d < 32; d *= 2) {
    const int n = __shfl_up_sync(0xffffffff, value, d);
    if (lane >= d) value += n;
  }
  if (lane == 31) warp_sums[warp] = value;
  __syncthreads();
  for (int w = 0; w < warp; ++w) value += warp_sums[w];
  return value;
}

// int4: a thread has four neighbours, and a warp still loads neighbouring elements. No shared tile needed.
__global__ void scan_tiles(const int4* input, int4* output, int* sums, int vectors) {
  __shared__ int warp_sums[BLOCK_SIZE / 32];
  const int v = blockIdx.x * BLOCK_SIZE + threadIdx.x;
  int4 a = v < vectors ? input[v] : make_int4(0, 0, 0, 0);
  a.y += a.x;
  a.z += a.y;
  a.w += a.z;
  const int inclusive = block_scan(a.w, warp_sums);
  const int before = inclusive - a.w;
  if (v < vectors) output[v] = make_int4(a.x + before, a.y + before, a.z + before, a.w + before);
  if (threadIdx.x == BLOCK_SIZE - 1) sums[blockIdx.x] = inclusive;
}

// One block walks through all sums and makes them exclusive.
__global__ void scan_sums(int* sums, int tiles) {
  __shared__ int warp_sums[BLOCK_SIZE / 32];
  __shared__ int total;
  int carry = 0;
  for (int base = 0; base < tiles; base += BLOCK_SIZE) {
    const int i = base + threadIdx.x;
    const int own = i < tiles ? sums[i] : 0;
    const int inclusive = block_scan(own, warp_sums);
    if (i < tiles) sums[i] = carry + inclusive - own;
    if (threadIdx.x == BLOCK_SIZE - 1) total = inclusive;
    __syncthreads();
    carry += total;
    __syncthreads();
  }
}

__global__ void add_sums(int4* output, const int* sums, int vectors) {
  const int v = blockIdx.x * BLOCK_SIZE + threadIdx.x;
  if (v < vectors) {
    const int s = sums[blockIdx.x];
    int4 a = output[v];
    a.x += s, a.y += s, a.z += s, a.w += s;
    output[v] = a;
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int vectors = length / 4;
  const int tiles = (vectors + BLOCK_SIZE - 1) / BLOCK_SIZE;
  int* sums = nullptr;
  cudaMalloc(&sums, tiles * sizeof(int));
  scan_tiles<<<tiles, BLOCK_SIZE>>>((const int4*)input, (int4*)output, sums, vectors);
  scan_sums<<<1, BLOCK_SIZE>>>(sums, tiles);
  add_sums<<<tiles, BLOCK_SIZE>>>((int4*)output, sums, vectors);
  cudaFree(sums);
}
