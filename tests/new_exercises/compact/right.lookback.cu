// SPDX-License-Identifier: Apache-2.0
//
// compact, a right answer: one kernel. Blocks take tickets, and each hands its sum on to the next (a
// look-back).

#include "compact.h"

__global__ void chained(const int* in, int* out, unsigned* ticket, int* sums, int n) {
  __shared__ unsigned me;
  __shared__ int base;
  if (threadIdx.x == 0) me = atomicAdd(ticket, 1u);
  __syncthreads();
  const int i = me * 512 + threadIdx.x;
  const int v = i < n ? in[i] : 0;
  const bool keep = v > 0;
  __shared__ int w[16];
  const unsigned b = __ballot_sync(~0u, keep);
  if (threadIdx.x % 32 == 0) w[threadIdx.x / 32] = __popc(b);
  __syncthreads();
  if (threadIdx.x == 0) {
    int own = 0;
    for (int k = 0; k < 16; ++k) {
      const int c = w[k];
      w[k] = own;
      own += c;
    }
    int before = 0;
    if (me > 0) {
      while ((before = atomicAdd(&sums[me - 1], 0)) < 0) {
      }
    }
    base = before;
    __threadfence();
    atomicExch(&sums[me], before + own);
  }
  __syncthreads();
  if (keep) out[base + w[threadIdx.x / 32] + __popc(b & ((1u << (threadIdx.x % 32)) - 1))] = v;
}

int compact(const int* in, int* out, int n) {
  const int blocks = (n + 511) / 512;
  int* memory;
  cudaMalloc(&memory, (blocks + 1) * sizeof(int));
  cudaMemset(memory, 0, sizeof(int));
  cudaMemset(memory + 1, 0xff, blocks * sizeof(int));
  chained<<<blocks, 512>>>(in, out, (unsigned*)memory, memory + 1, n);
  int total;
  cudaMemcpy(&total, memory + blocks, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(memory);
  return total;
}
