// SPDX-License-Identifier: Apache-2.0
// mistake: The way down of the Brent-Kung scan ends too early: `stride > 1` leaves out the step with stride 1, so
//   partial[2], partial[4], ... keep only their own sum. Threads 3, 5, 7, ... of each block take these as the sum of
//   all threads before. Shows for every length above 24 (thread 3's elements); the sums of whole tiles are right.
// want: With 8 threads, draw partial[0] to partial[7] after the way up. Which entries does each stride of the way
//   down complete? Who completes partial[2]?

#include "scan.h"

#define BLOCK_SIZE 256
#define COARSE 8
#define SECTION (BLOCK_SIZE * COARSE)

__global__ void brent_kung(const int* input, int* output, int* section_sums, int length) {
  __shared__ int elements[SECTION];
  __shared__ int partial[BLOCK_SIZE];
  const unsigned t = threadIdx.x;
  const int start = blockIdx.x * SECTION;

  for (int c = 0; c < COARSE; c++) {
    const int e = c * BLOCK_SIZE + t;
    elements[e] = start + e < length ? input[start + e] : 0;
  }
  __syncthreads();

  int acc = 0;
  for (int c = 0; c < COARSE; c++) {
    acc += elements[t * COARSE + c];
    elements[t * COARSE + c] = acc;
  }
  partial[t] = acc;

  // up
  for (unsigned stride = 1; stride < BLOCK_SIZE; stride *= 2) {
    __syncthreads();
    const unsigned index = (t + 1) * 2 * stride - 1;
    if (index < BLOCK_SIZE) {
      partial[index] += partial[index - stride];
    }
  }
  // down
  for (unsigned stride = BLOCK_SIZE / 4; stride > 1; stride /= 2) {
    __syncthreads();
    const unsigned index = (t + 1) * 2 * stride - 1;
    if (index + stride < BLOCK_SIZE) {
      partial[index + stride] += partial[index];
    }
  }
  __syncthreads();

  if (t > 0) {
    const int left = partial[t - 1];
    for (int c = 0; c < COARSE; c++) {
      elements[t * COARSE + c] += left;
    }
  }
  __syncthreads();

  for (int c = 0; c < COARSE; c++) {
    const int e = c * BLOCK_SIZE + t;
    if (start + e < length) {
      output[start + e] = elements[e];
    }
  }
  if (t == 0) {
    section_sums[blockIdx.x] = partial[BLOCK_SIZE - 1];
  }
}

__global__ void add_sections(int* output, const int* section_sums, int length) {
  // one thread looks up what lies before this section
  __shared__ int before;
  if (threadIdx.x == 0) {
    before = blockIdx.x == 0 ? 0 : section_sums[blockIdx.x - 1];
  }
  __syncthreads();
  const int start = blockIdx.x * SECTION;
  for (int c = 0; c < COARSE; c++) {
    const int i = start + c * BLOCK_SIZE + threadIdx.x;
    if (i < length) {
      output[i] += before;
    }
  }
}

__global__ void scan_section_sums(int* section_sums, int sections) {
  int acc = 0;
  for (int s = 0; s < sections; s++) {
    acc += section_sums[s];
    section_sums[s] = acc;
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int sections = (length + SECTION - 1) / SECTION;
  int* section_sums;
  cudaMalloc((void**)&section_sums, sections * sizeof(int));
  brent_kung<<<sections, BLOCK_SIZE>>>(input, output, section_sums, length);
  scan_section_sums<<<1, 1>>>(section_sums, sections);
  add_sections<<<sections, BLOCK_SIZE>>>(output, section_sums, length);
  cudaFree(section_sums);
}
