// SPDX-License-Identifier: Apache-2.0
// mistake: The first two planes are loaded before the loop without a test whether there is a second one. With depth 1,
//   `current` is read behind the end of input, and after the loop it is stored as the last plane, which is also
//   plane 0: all outputs are wrong. Every other depth is right.
// want: Play it through with depth 1: which elements are loaded before the loop, and what does the last line store,
//   and where?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 16

// A block walks through all planes.
__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];
  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;
  const int tx = threadIdx.x + 1;
  const int ty = threadIdx.y + 1;
  const int plane = width * height;
  const int column = y * width + x;
  const bool mine = x < width && y < height;
  const bool inner = x > 0 && x < width - 1 && y > 0 && y < height - 1;

  // planes 0 and 1
  float before = 0, current = 0;
  if (mine) {
    before = input[column];
    current = input[column + plane];
    output[column] = before;  // plane 0 is a face
  }

  for (int z = 1; z < depth - 1; z++) {
    const int i = z * plane + column;
    float after = 0;
    if (mine) {
      after = input[i + plane];
      tile[ty][tx] = current;
      if (tx == 1 && x > 0) tile[ty][0] = input[i - 1];
      if (tx == TILE_X && x < width - 1) tile[ty][TILE_X + 1] = input[i + 1];
      if (ty == 1 && y > 0) tile[0][tx] = input[i - width];
      if (ty == TILE_Y && y < height - 1) tile[TILE_Y + 1][tx] = input[i + width];
    }
    __syncthreads();
    if (inner) {
      output[i] = kCentre * current + kNeighbour * (before + after + tile[ty][tx - 1] + tile[ty][tx + 1] +
                                                    tile[ty - 1][tx] + tile[ty + 1][tx]);
    } else if (mine) {
      output[i] = current;
    }
    __syncthreads();
    before = current;
    current = after;
  }

  // the last plane is a face, too
  if (mine) {
    output[(depth - 1) * plane + column] = current;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y);
  stencil_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, width, height, depth);
}
