// SPDX-License-Identifier: Apache-2.0
// mistake: the elements behind the last whole group of four are added by the first threads of every block, not by one
//   block's. Length 4099: three blocks, and input[4096] to [4098] are in the sum three times. Right where length is a
//   multiple of 4 or there is one block only (length at most 2048).
// want: Length is 4099. Which threads of which blocks add input[4098]?
#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define VECTORS (COARSE_FACTOR / 4)

__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  __shared__ float partial[BLOCK_SIZE / 32];

  const int t = threadIdx.x;
  const float4* input4 = reinterpret_cast<const float4*>(input);
  const int length4 = length / 4;

  float sum = 0.0f;
  int v = blockIdx.x * (BLOCK_SIZE * VECTORS) + t;
  for (int s = 0; s < VECTORS; ++s, v += BLOCK_SIZE) {
    if (v < length4) {
      const float4 q = input4[v];
      sum += (q.x + q.y) + (q.z + q.w);
    }
  }
  // what is no whole float4: at most three
  if (t < length % 4) {
    sum += input[length4 * 4 + t];
  }

  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (t % 32 == 0) partial[t / 32] = sum;
  __syncthreads();

  if (t < 32) {
    sum = t < BLOCK_SIZE / 32 ? partial[t] : 0.0f;
    for (int offset = 4; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (t == 0) atomicAdd(output, sum);
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  cudaMemset(output, 0, sizeof(float));
  const int segment = BLOCK_SIZE * COARSE_FACTOR;
  const int segments = (length + segment - 1) / segment;
  if (segments > 0) {
    coarsened_reduction_kernel<<<segments, BLOCK_SIZE>>>(input, output, length);
  }
}
