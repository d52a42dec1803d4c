// SPDX-License-Identifier: Apache-2.0
//
// compact, a right answer: each thread has eight neighbours; one thread adds up the counts of all threads.

#include "compact.h"

__global__ void count(const int* in, int* counts, int threads, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= threads) return;
  int own = 0;
  for (int i = 8 * t; i < 8 * t + 8 && i < n; ++i) own += in[i] > 0;
  counts[t] = own;
}

__global__ void sum(int* counts, int threads) {
  int before = 0;
  for (int t = 0; t < threads; ++t) {
    const int own = counts[t];
    counts[t] = before;
    before += own;
  }
  counts[threads] = before;
}

__global__ void copy(const int* in, int* out, const int* places, int threads, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= threads) return;
  int place = places[t];
  for (int i = 8 * t; i < 8 * t + 8 && i < n; ++i) {
    if (in[i] > 0) out[place++] = in[i];
  }
}

int compact(const int* in, int* out, int n) {
  const int threads = (n + 7) / 8, grid = (threads + 63) / 64;
  int* counts = nullptr;
  cudaMalloc(&counts, (threads + 1) * sizeof(int));
  count<<<grid, 64>>>(in, counts, threads, n);
  sum<<<1, 1>>>(counts, threads);
  copy<<<grid, 64>>>(in, out, counts, threads, n);
  int total = 0;
  cudaMemcpy(&total, counts + threads, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(counts);
  return total;
}
