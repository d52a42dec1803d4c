// SPDX-License-Identifier: Apache-2.0
// differs: clumsy. A single block counts everything, one thread of it adds the whole copy up and stores counts.
// Chinese comments. No newline at the end.

#include "histogram.h"

__global__ void 全部由一個區塊計數(const int* input, int* counts, int length, int bins) {
  __shared__ int 自己的計數[4096];
  if (threadIdx.x == 0) {
    for (int b = 0; b < bins; ++b) 自己的計數[b] = 0;  // 一個執行緒清除全部
  }
  __syncthreads();
  for (int i = threadIdx.x; i < length; i += blockDim.x) atomicAdd(&自己的計數[input[i]], 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int b = 0; b < bins; ++b) counts[b] = 自己的計數[b];  // 只有一份，直接存回
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  全部由一個區塊計數<<<1, 1024>>>(input, counts, length, bins);
}