// SPDX-License-Identifier: Apache-2.0
//
// compact, a wrong answer: memory for the counts of 256 blocks, whatever n is.

#include "compact.h"

constexpr int kBlock = 256;
constexpr int kWarps = kBlock / 32;

// Counts the positive elements of each block.
__global__ void count_kernel(const int* in, int* counts, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int count = __syncthreads_count(i < n && in[i] > 0);
  if (threadIdx.x == 0) counts[blockIdx.x] = count;
}

// One block: counts[b] becomes the number of positive elements before block b; counts[blocks] the total.
__global__ void scan_kernel(int* counts, int blocks) {
  __shared__ int sums[kBlock];
  int before = 0;
  for (int first = 0; first < blocks; first += kBlock) {
    const int b = first + threadIdx.x;
    const int own = b < blocks ? counts[b] : 0;
    sums[threadIdx.x] = own;
    __syncthreads();
    for (int step = 1; step < kBlock; step *= 2) {
      const int left = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
      __syncthreads();
      sums[threadIdx.x] += left;
      __syncthreads();
    }
    if (b < blocks) counts[b] = before + sums[threadIdx.x] - own;
    before += sums[kBlock - 1];
    __syncthreads();
  }
  if (threadIdx.x == 0) counts[blocks] = before;
}

// Copies each positive element to its place.
__global__ void copy_kernel(const int* in, int* out, const int* places, int n) {
  __shared__ int in_warp[kWarps];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int own = i < n ? in[i] : 0;
  const unsigned positive = __ballot_sync(~0u, own > 0);
  if (lane == 0) in_warp[warp] = __popc(positive);
  __syncthreads();
  int place = places[blockIdx.x] + __popc(positive & ((1u << lane) - 1));
  for (int w = 0; w < warp; ++w) place += in_warp[w];
  if (own > 0) out[place] = own;
}

int compact(const int* in, int* out, int n) {
  const int blocks = (n + kBlock - 1) / kBlock;  // rounded up
  int* counts = nullptr;
  cudaMalloc(&counts, 257 * sizeof(int));
  count_kernel<<<blocks, kBlock>>>(in, counts, n);
  scan_kernel<<<1, kBlock>>>(counts, blocks);
  copy_kernel<<<blocks, kBlock>>>(in, out, counts, n);
  int total = 0;
  cudaMemcpy(&total, counts + blocks, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(counts);
  return total;
}
