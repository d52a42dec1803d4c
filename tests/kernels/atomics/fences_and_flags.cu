// SPDX-License-Identifier: Apache-2.0
// A flag that one thread raises after a fence and another waits for: between the warps of a block, and
// between blocks (the second block to start waits for the first).
#include "tests/kernels/expect.h"

__global__ void between_warps(int* out) {
  __shared__ volatile int value;
  __shared__ volatile int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 32) {
    value = 17;
    __threadfence_block();
    ready = 1;
  } else if (threadIdx.x == 0) {
    while (ready == 0) {
    }
    __threadfence_block();
    *out = value;
  }
}

__device__ unsigned started = 0;
__device__ int chain[64];
__device__ unsigned raised[64];

__global__ void between_blocks(int* out) {
  __shared__ unsigned place;
  if (threadIdx.x == 0) place = atomicAdd(&started, 1);
  __syncthreads();
  if (threadIdx.x != 0) return;
  int before = 0;
  if (place > 0) {
    while (atomicAdd(&raised[place - 1], 0) == 0) {
    }
    __threadfence();
    before = chain[place - 1];
  }
  chain[place] = before + static_cast<int>(place) + 1;
  __threadfence();
  atomicExch(&raised[place], 1u);
  out[place] = chain[place];
}

int main() {
  int* out = OnDevice<int>(64);
  between_warps<<<1, 64>>>(out);
  FINISH();
  ExpectEqual("value", 0, FromDevice(out, 1)[0], 17);
  between_blocks<<<64, 32>>>(out);
  FINISH();
  const auto sums = FromDevice(out, 64);
  for (int i = 0; i < 64; ++i) ExpectEqual("sum", i, sums[i], (i + 1) * (i + 2) / 2);
  return Result();
}
