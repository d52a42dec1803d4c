// SPDX-License-Identifier: Apache-2.0
//
// What tiles are measured against: a thread for each point loads all seven elements from global memory.

#include "stencil.h"

#define BLOCK_X 32
#define BLOCK_Y 8

__global__ void plain_kernel(const float* input, float* output, int width, int height, int depth) {
  const int x = blockIdx.x * BLOCK_X + threadIdx.x;
  const int y = blockIdx.y * BLOCK_Y + threadIdx.y;
  const int z = blockIdx.z;
  if (x >= width || y >= height) return;
  const int plane = width * height;
  const int i = z * plane + y * width + x;
  if (x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1) {
    output[i] = input[i];
  } else {
    output[i] = kCentre * input[i] + kNeighbour * (input[i - 1] + input[i + 1] + input[i - width] +
                                                   input[i + width] + input[i - plane] + input[i + plane]);
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + BLOCK_X - 1) / BLOCK_X, (height + BLOCK_Y - 1) / BLOCK_Y, depth);
  plain_kernel<<<grid, dim3(BLOCK_X, BLOCK_Y)>>>(input, output, width, height, depth);
}
