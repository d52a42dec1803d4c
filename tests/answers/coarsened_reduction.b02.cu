// SPDX-License-Identifier: Apache-2.0
// mistake: the number of blocks is computed from the float4 vectors only; with fewer than four elements there is
//   no vector, no block is launched, and nobody adds up the one to three elements of the tail.
// want: length 3: how many vectors are there, how many blocks do you launch, and who adds input[0]? Test the
//   smallest lengths.
#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define VECTORS 2  // of four floats, for a thread: COARSE_FACTOR 8

__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  __shared__ float partial[BLOCK_SIZE];

  const int t = threadIdx.x;
  const int vectors = length / 4;
  const float4* input4 = reinterpret_cast<const float4*>(input);

  float sum = 0.0f;
#pragma unroll
  for (int v = 0; v < VECTORS; ++v) {
    const int i = (blockIdx.x * VECTORS + v) * BLOCK_SIZE + t;
    if (i < vectors) {
      const float4 x = input4[i];
      sum += (x.x + x.y) + (x.z + x.w);
    }
  }
  // The last elements, behind the last vector: the first block has time for them.
  if (blockIdx.x == 0 && t < length % 4) {
    sum += input[4 * vectors + t];
  }
  partial[t] = sum;

  for (int stride = BLOCK_SIZE / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) {
      partial[t] += partial[t + stride];
    }
  }

  if (t == 0) {
    atomicAdd(output, partial[0]);
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  cudaMemset(output, 0, sizeof(float));

  const int vectors = length / 4;
  const int segment = BLOCK_SIZE * VECTORS;
  const int segments = (vectors + segment - 1) / segment;
  if (segments == 0) return;  // a grid without blocks is an error
  coarsened_reduction_kernel<<<segments, BLOCK_SIZE>>>(input, output, length);
}
