// SPDX-License-Identifier: Apache-2.0
// mistake: The first two planes are loaded, and the first and the last stored, without a look at depth. For depth 1
//   there is no second plane: the load is out of bounds, and the last store writes what it found there over the only
//   plane. All depths from 2 on are right.
// want: depth may be 1. Which plane do you load into current then, and what ends up in output?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8

// A block walks along the whole depth, so that no plane is loaded by two blocks.
__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;
  const int row = width, plane = width * height;
  const bool inside = x < width && y < height;
  const bool face = x == 0 || x == width - 1 || y == 0 || y == height - 1;

  int i = y * row + x;
  float before = 0, current = 0, after = 0;
  if (inside) {
    before = input[i];
    current = input[i + plane];
    output[i] = before;  // the face z = 0
  }

  for (int z = 1; z < depth - 1; ++z) {
    i += plane;
    if (inside) {
      after = input[i + plane];
      tile[ty][tx] = current;
      if (threadIdx.x == 0 && x > 0) tile[ty][0] = input[i - 1];
      if (threadIdx.x == TILE_X - 1 && x + 1 < width) tile[ty][TILE_X + 1] = input[i + 1];
      if (threadIdx.y == 0 && y > 0) tile[0][tx] = input[i - row];
      if (threadIdx.y == TILE_Y - 1 && y + 1 < height) tile[TILE_Y + 1][tx] = input[i + row];
    }
    __syncthreads();
    if (inside) {
      output[i] = face ? current
                       : kCentre * current + kNeighbour * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] +
                                                           tile[ty + 1][tx] + before + after);
    }
    __syncthreads();
    before = current;
    current = after;
  }

  // the face z = depth - 1
  if (inside) {
    output[(depth - 1) * plane + y * row + x] = current;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y);
  stencil_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, width, height, depth);
}
