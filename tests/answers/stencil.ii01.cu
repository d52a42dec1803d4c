// SPDX-License-Identifier: Apache-2.0
// mistake: There is no barrier at the end of a step. A fast warp goes on to the next plane and stores its row of the
//   tile while a slow warp still reads the plane's neighbours there, and takes elements of plane z + 1 instead. A
//   race: it may show in any block of more than one row for depth 3 or more, and not in every run.
// want: Warp 0 is already in step z + 1, warp 1 still in step z. Which element of the tile does warp 0 store, and
//   does warp 1 still need it?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8
#define PLANES 32

// Computes the points of one tile in a group of planes.
__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];

  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int row = width, plane = width * height;
  const bool exists = x < width && y < height;

  const int first = blockIdx.z * PLANES;
  const int end = min(first + PLANES, depth);
  int i = first * plane + y * row + x;
  float before = 0, current = 0, after = 0;
  if (exists) {
    if (first > 0) before = input[i - plane];
    current = input[i];
  }

  for (int z = first; z < end; z++) {
    if (exists) {
      if (z + 1 < depth) after = input[i + plane];
      tile[ty][tx] = current;
      if (threadIdx.x == 0 && x > 0) tile[ty][0] = input[i - 1];
      if (threadIdx.x == TILE_X - 1 && x < width - 1) tile[ty][TILE_X + 1] = input[i + 1];
      if (threadIdx.y == 0 && y > 0) tile[0][tx] = input[i - row];
      if (threadIdx.y == TILE_Y - 1 && y < height - 1) tile[TILE_Y + 1][tx] = input[i + row];
    }
    __syncthreads();

    if (exists) {
      if (x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1) {
        output[i] = current;
      } else {
        output[i] = kCentre * current + kNeighbour * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] +
                                                      tile[ty + 1][tx] + before + after);
      }
    }
    before = current;
    current = after;
    i += plane;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y, (depth + PLANES - 1) / PLANES);
  stencil_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, width, height, depth);
}
