// SPDX-License-Identifier: Apache-2.0
// mistake: The grid has depth / 16 groups of planes, rounded down. The last depth % 16 planes have no block, so their
//   outputs are never written. For a depth below 16 the launch has 0 blocks in z, which is an error, and nothing is
//   written at all. Shows for every depth that is no multiple of 16.
// want: How many groups of 16 planes do you launch for depth 100, and which planes do they cover? Why do x and y round
//   up in the lines above?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8
#define PLANES 16

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];
  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;
  const int sx = threadIdx.x + 1, sy = threadIdx.y + 1;
  const int row = width, plane = width * height;
  const bool inside = x < width && y < height;
  const int start = blockIdx.z * PLANES;

  int i = start * plane + y * row + x;
  float before = 0.0f, current = 0.0f;
  if (inside) {
    before = start > 0 ? input[i - plane] : 0.0f;
    current = input[i];
  }

  for (int z = start; z < start + PLANES; z++) {
    float after = 0.0f;
    if (inside) {
      if (z + 1 < depth) after = input[i + plane];
      tile[sy][sx] = current;
      if (sx == 1 && x > 0) tile[sy][0] = input[i - 1];
      if (sx == TILE_X && x + 1 < width) tile[sy][TILE_X + 1] = input[i + 1];
      if (sy == 1 && y > 0) tile[0][sx] = input[i - row];
      if (sy == TILE_Y && y + 1 < height) tile[TILE_Y + 1][sx] = input[i + row];
    }
    __syncthreads();
    if (inside) {
      if (x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1) {
        output[i] = current;
      } else {
        output[i] = kCentre * current + kNeighbour * (tile[sy][sx - 1] + tile[sy][sx + 1] + tile[sy - 1][sx] +
                                                      tile[sy + 1][sx] + before + after);
      }
    }
    __syncthreads();
    before = current;
    current = after;
    i += plane;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const int tiles_x = (width + TILE_X - 1) / TILE_X;
  const int tiles_y = (height + TILE_Y - 1) / TILE_Y;
  const int groups = depth / PLANES;
  stencil_kernel<<<dim3(tiles_x, tiles_y, groups), dim3(TILE_X, TILE_Y)>>>(input, output, width, height, depth);
}
