// SPDX-License-Identifier: Apache-2.0
// mistake: The block has 64 x 32 = 2048 threads; at most 1024 are allowed. The launch fails (invalid configuration),
//   nobody looks at the error, and output is never written, for every input.
// want: How many threads does a block of 64 x 32 have, and how many may it have? What does cudaGetLastError() say
//   after the launch? How could fewer threads compute a tile of that size?

#include "stencil.h"

// The frame costs least if the tile is big: 2 * (64 + 32) / (64 * 32) is only 9 %
#define TILE_X 64
#define TILE_Y 32
#define PLANES 16

__global__ void stencil_kernel(const float* __restrict__ input, float* __restrict__ output, int width, int height,
                               int depth) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];
  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;
  const int tx = threadIdx.x + 1;
  const int ty = threadIdx.y + 1;
  const int plane = width * height;
  const int z_first = blockIdx.z * PLANES;
  const int z_last = min(z_first + PLANES, depth) - 1;
  const bool active = x < width && y < height;
  const bool face_xy = x == 0 || x == width - 1 || y == 0 || y == height - 1;

  int i = z_first * plane + y * width + x;
  float a = 0, b = 0, c = 0;  // planes z - 1, z, z + 1
  if (active) {
    if (z_first > 0) a = input[i - plane];
    b = input[i];
  }
  for (int z = z_first; z <= z_last; z++) {
    if (active) {
      if (z < depth - 1) c = input[i + plane];
      tile[ty][tx] = b;
      if (!face_xy) {
        if (tx == 1) tile[ty][0] = input[i - 1];
        if (tx == TILE_X) tile[ty][TILE_X + 1] = input[i + 1];
        if (ty == 1) tile[0][tx] = input[i - width];
        if (ty == TILE_Y) tile[TILE_Y + 1][tx] = input[i + width];
      }
    }
    __syncthreads();
    if (active) {
      float value = b;
      if (!face_xy && z > 0 && z < depth - 1) {
        value *= kCentre;
        value += kNeighbour * (a + c);
        value += kNeighbour * (tile[ty][tx - 1] + tile[ty][tx + 1]);
        value += kNeighbour * (tile[ty - 1][tx] + tile[ty + 1][tx]);
      }
      output[i] = value;
    }
    __syncthreads();
    a = b;
    b = c;
    i += plane;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 block(TILE_X, TILE_Y);
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y, (depth + PLANES - 1) / PLANES);
  stencil_kernel<<<grid, block>>>(input, output, width, height, depth);
}
