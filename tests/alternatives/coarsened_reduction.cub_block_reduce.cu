// SPDX-License-Identifier: Apache-2.0
// differs: the tree is cub::BlockReduce from NVIDIA's own library, 20 elements a thread; no newline at the end.

#include <cub/block/block_reduce.cuh>

#include "coarsened_reduction.h"

constexpr int kBlock = 128;
constexpr int kItems = 20;

__global__ void with_cub(const float* input, float* output, int length) {
  using Reduce = cub::BlockReduce<float, kBlock>;
  __shared__ typename Reduce::TempStorage storage;

  const int start = blockIdx.x * kBlock * kItems;
  float sum = 0.0f;
  for (int item = 0; item < kItems; ++item) {
    const int i = start + item * kBlock + threadIdx.x;
    if (i < length) sum += input[i];
  }
  const float total = Reduce(storage).Sum(sum);
  if (threadIdx.x == 0) atomicAdd(output, total);
}

void coarsened_reduction(const float* input, float* output, int length) {
  cudaMemsetAsync(output, 0, sizeof(float), 0);
  if (const int blocks = (length + kBlock * kItems - 1) / (kBlock * kItems); blocks > 0)
    with_cub<<<blocks, kBlock>>>(input, output, length);
}