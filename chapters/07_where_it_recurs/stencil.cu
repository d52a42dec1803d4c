// SPDX-License-Identifier: Apache-2.0
//
// Chapter 7, where coarsening recurs. The kernel below is right, but every thread loads seven elements for
// one point. Let a block walk from plane to plane along z: it keeps the current plane's tile in shared
// memory, and each thread keeps its elements of the planes before and after in registers. Four places are
// marked TODO.
//
//   ./warplings check stencil

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8

// Computes the points of one tile in one plane.
__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  // TODO 1: declare a tile of the current plane in shared memory, with a frame of one element. The threads at
  // the border of the tile need it.

  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;

  // TODO 2: walk through several planes. Before the loop, load the thread's elements of two planes into
  // registers. In each step, load only the one of the next plane.
  const int z = blockIdx.z;

  // TODO 3: fill tile and frame, wait, and read the four neighbours in x and y from there. Which threads load
  // the frame? When may the tile be filled again?
  if (x >= width || y >= height) return;
  const int row = width, plane = width * height;
  const int i = z * plane + y * row + x;
  if (x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1) {
    output[i] = input[i];
  } else {
    output[i] = kCentre * input[i] + kNeighbour * (input[i - 1] + input[i + 1] + input[i - row] +
                                                   input[i + row] + input[i - plane] + input[i + plane]);
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  // TODO 4: one block for each tile and each group of planes.
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y, depth);
  stencil_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, width, height, depth);
}
