// SPDX-License-Identifier: Apache-2.0
// mistake: __shfl_up_sync gives a lane that has no lane `d` below it its own value back, not 0. Without a test of
//   lane >= d, lane 0 doubles its sum in each of the five steps (32 times the sum at the end), lane 1 in four of
//   them, and all lanes above take the wrong sums on. Shows for every length, even 1 (31 x input[0] too much),
//   unless the elements are 0.
// want: What does __shfl_up_sync return in lane 0 for a distance of 1? Follow lane 0 through the five steps.

#include "scan.h"

#define BLOCK_SIZE 256
#define N_PER_THREAD 8
#define TILE (BLOCK_SIZE * N_PER_THREAD)
#define FULL 0xffffffff

// inclusive scan in a warp, no barriers needed
__device__ int warp_scan(int v) {
  for (int d = 1; d < 32; d *= 2) {
    v += __shfl_up_sync(FULL, v, d);
  }
  return v;
}

__global__ void tiles(const int* input, int* output, int* sums, int length) {
  __shared__ int s[TILE];
  __shared__ int w[32];
  const int tid = threadIdx.x;
  const int begin = blockIdx.x * TILE;

  for (int k = 0; k < N_PER_THREAD; ++k) {
    const int i = tid + k * BLOCK_SIZE;
    s[i] = begin + i < length ? input[begin + i] : 0;
  }
  if (tid < 32) w[tid] = 0;
  __syncthreads();

  int sum = 0;
  for (int k = 0; k < N_PER_THREAD; ++k) {
    sum += s[tid * N_PER_THREAD + k];
    s[tid * N_PER_THREAD + k] = sum;
  }

  const int scanned = warp_scan(sum);
  if (tid % 32 == 31) w[tid / 32] = scanned;
  __syncthreads();
  if (tid < 32) w[tid] = warp_scan(w[tid]);
  __syncthreads();

  const int before = scanned - sum + (tid >= 32 ? w[tid / 32 - 1] : 0);
  for (int k = 0; k < N_PER_THREAD; ++k) {
    s[tid * N_PER_THREAD + k] += before;
  }
  __syncthreads();
  for (int k = 0; k < N_PER_THREAD; ++k) {
    const int i = tid + k * BLOCK_SIZE;
    if (begin + i < length) output[begin + i] = s[i];
  }
  if (tid == 0) sums[blockIdx.x] = s[TILE - 1];
}

__global__ void prefix_of_sums(int* sums, int n) {
  for (int i = 1; i < n; ++i) {
    sums[i] += sums[i - 1];
  }
}

__global__ void add(int* output, const int* sums, int length) {
  const int begin = blockIdx.x * TILE;
  const int before = blockIdx.x > 0 ? sums[blockIdx.x - 1] : 0;
  for (int i = begin + threadIdx.x; i < begin + TILE && i < length; i += BLOCK_SIZE) {
    output[i] += before;
  }
}

void scan(const int* input, int* output, int length) {
  if (!length) return;
  const int n = (length + TILE - 1) / TILE;
  int* sums;
  cudaMalloc(&sums, n * sizeof(int));
  tiles<<<n, BLOCK_SIZE>>>(input, output, sums, length);
  prefix_of_sums<<<1, 1>>>(sums, n);
  add<<<n, BLOCK_SIZE>>>(output, sums, length);
  cudaFree(sums);
}
