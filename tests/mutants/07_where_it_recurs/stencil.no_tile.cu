// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: nothing is shared, nothing is kept.
#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8

__global__ void plain_kernel(const float* input, float* output, int width, int height, int depth) {
  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;
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
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y, depth);
  plain_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, width, height, depth);
}
