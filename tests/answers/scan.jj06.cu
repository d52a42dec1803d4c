// SPDX-License-Identifier: Apache-2.0
// mistake: The kernels work on length / 4 int4s. The last 1 to 3 elements of a length that is no multiple of 4 are
//   never scanned: output keeps its old values there. For lengths 1 to 3 the launch even asks for 0 blocks, an error.
//   Lengths that are multiples of 4 are right.
// want: Which thread writes output[4] for length 5? Try some odd lengths, the smallest first.

#include "scan.h"

constexpr int kThreads = 256;

__device__ int block_scan(int sum) {
  __shared__ int warp_totals[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int d = 1; d < 32; d *= 2) {
    const int up = __shfl_up_sync(~0u, sum, d);
    if (lane >= d) {
      sum += up;
    }
  }
  if (lane == 31) {
    warp_totals[warp] = sum;
  }
  __syncthreads();
  for (int w = 0; w < warp; ++w) {
    sum += warp_totals[w];
  }
  __syncthreads();
  return sum;
}

// One int4 per thread: a single 16-byte load and a single 16-byte store, always coalesced, no shared memory.
__global__ void scan_tiles(const int4* input, int4* output, int* totals, int quads) {
  const int q = blockIdx.x * kThreads + threadIdx.x;
  int4 v = make_int4(0, 0, 0, 0);
  if (q < quads) {
    v = input[q];
  }
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;
  const int sum = block_scan(v.w);
  const int before = sum - v.w;
  if (q < quads) {
    output[q] = make_int4(before + v.x, before + v.y, before + v.z, before + v.w);
  }
  if (threadIdx.x == kThreads - 1) {
    totals[blockIdx.x] = sum;
  }
}

__global__ void scan_totals(int* totals, int blocks) {
  __shared__ int carry;
  if (threadIdx.x == 0) {
    carry = 0;
  }
  __syncthreads();
  for (int start = 0; start < blocks; start += kThreads) {
    const int b = start + threadIdx.x;
    const int sum = carry + block_scan(b < blocks ? totals[b] : 0);
    if (b < blocks) {
      totals[b] = sum;
    }
    __syncthreads();
    if (threadIdx.x == kThreads - 1) {
      carry = sum;
    }
    __syncthreads();
  }
}

__global__ void add_totals(int4* output, const int* totals, int quads) {
  const int q = blockIdx.x * kThreads + threadIdx.x;
  if (blockIdx.x > 0 && q < quads) {
    const int before = totals[blockIdx.x - 1];
    int4 v = output[q];
    v.x += before;
    v.y += before;
    v.z += before;
    v.w += before;
    output[q] = v;
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) {
    return;
  }
  const int quads = length / 4;
  const int blocks = (quads + kThreads - 1) / kThreads;
  const int4* in4 = reinterpret_cast<const int4*>(input);
  int4* out4 = reinterpret_cast<int4*>(output);
  int* totals;
  cudaMalloc(&totals, blocks * sizeof(int));
  scan_tiles<<<blocks, kThreads>>>(in4, out4, totals, quads);
  scan_totals<<<1, kThreads>>>(totals, blocks);
  add_totals<<<blocks, kThreads>>>(out4, totals, quads);
  cudaFree(totals);
}
