// SPDX-License-Identifier: Apache-2.0
// mistake: Sums are right, but the padding is one float for each 16, made for 16 banks. With 32 banks, lane 0 and lane 31
//   of a storing warp meet (places 0 and 31 + 1 = 32, both bank 0), and in the first step of the last warp lane 1
//   (place 8) and lane 16 (place 136) do, so that there are two-way conflicts in every segment. (One for each 32
//   would do.)
// want: Compute the place in shared memory of elements 0 and 31, which one warp stores together. In which banks are they?
#include "reduce_sequential.h"

#define LOG_BANKS 4
#define AT(e) ((e) + ((e) >> LOG_BANKS))  // padded, so that no two lanes share a bank

// 256 threads fetch, then the first warp alone adds: 8 neighbours a lane, and the rest by shuffles.
__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float s[SEGMENT + (SEGMENT >> LOG_BANKS)];

  const int t = threadIdx.x;
  const int i = blockIdx.x * SEGMENT + t;
  s[AT(t)] = i < n ? X[i] : 0.f;
  __syncthreads();

  if (t >= 32) return;  // whole warps only

  float mine = s[AT(8 * t)];
#pragma unroll
  for (int j = 1; j < 8; ++j) mine += s[AT(8 * t + j)];

  for (int mask = 1; mask < 32; mask *= 2) mine += __shfl_xor_sync(0xffffffffu, mine, mask);

  if (t == 0) sums[blockIdx.x] = mine;
}

void reduce_sequential(const float* X, float* sums, int n) {
  int blocks = n / SEGMENT;
  if (n % SEGMENT != 0) blocks++;
  reduce_kernel<<<blocks, SEGMENT>>>(X, sums, n);
}
