// SPDX-License-Identifier: Apache-2.0
// mistake: The textbook's work-efficient scan over all 2048 elements of a tile, with 1024 threads: 32 warps wait at
//   more than 20 barriers per tile, over 700 arrivals, where 2048 / 8 = 256 are allowed for a long input. (Steps in
//   which most threads idle cost instructions, too.) Values are right.
// want: How many barriers does a tile need, and how many warps wait at each? How many would it be if each thread
//   first added up 8 elements alone?

#include "scan.h"

#define THREADS 1024
#define SECTION_SIZE (2 * THREADS)

__global__ void brent_kung_scan_kernel(const int* X, int* Y, int* S, int N) {
  __shared__ int XY[SECTION_SIZE];
  const int i = 2 * blockIdx.x * blockDim.x + threadIdx.x;
  XY[threadIdx.x] = i < N ? X[i] : 0;
  XY[threadIdx.x + THREADS] = i + THREADS < N ? X[i + THREADS] : 0;

  // reduction tree
  for (unsigned int stride = 1; stride <= THREADS; stride *= 2) {
    __syncthreads();
    const unsigned int index = (threadIdx.x + 1) * 2 * stride - 1;
    if (index < SECTION_SIZE) XY[index] += XY[index - stride];
  }
  // reverse tree
  for (unsigned int stride = SECTION_SIZE / 4; stride > 0; stride /= 2) {
    __syncthreads();
    const unsigned int index = (threadIdx.x + 1) * stride * 2 - 1;
    if (index + stride < SECTION_SIZE) XY[index + stride] += XY[index];
  }
  __syncthreads();

  if (i < N) Y[i] = XY[threadIdx.x];
  if (i + THREADS < N) Y[i + THREADS] = XY[threadIdx.x + THREADS];
  if (threadIdx.x == THREADS - 1 && S != nullptr) S[blockIdx.x] = XY[SECTION_SIZE - 1];
}

__global__ void add_kernel(int* Y, const int* S, int N) {
  const int i = SECTION_SIZE + 2 * blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) Y[i] += S[blockIdx.x];
  if (i + THREADS < N) Y[i + THREADS] += S[blockIdx.x];
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int sections = (length + SECTION_SIZE - 1) / SECTION_SIZE;
  if (sections == 1) {
    brent_kung_scan_kernel<<<1, THREADS>>>(input, output, nullptr, length);
    return;
  }
  int *S, *S_scanned;
  cudaMalloc(&S, sections * sizeof(int));
  cudaMalloc(&S_scanned, sections * sizeof(int));
  brent_kung_scan_kernel<<<sections, THREADS>>>(input, output, S, length);
  scan(S, S_scanned, sections);
  add_kernel<<<sections - 1, THREADS>>>(output, S_scanned, length);
  cudaFree(S);
  cudaFree(S_scanned);
}
