// SPDX-License-Identifier: Apache-2.0
// mistake: Each block starts with before = 0, as if there were no plane before its first. That holds for plane 0 only:
//   planes 32, 64 and so on are the first of their group, and their inner points lack the neighbour in the plane
//   before. Shows for depth >= 34 (plane 32 then is no face), with width and height of at least 3.
// want: Take depth 64 and the block that starts at plane 32. Which value should `before` have in its first step, and
//   what does it have? How deep were the inputs you tested with?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8
#define PLANES 32

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];

  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int row = width, plane = width * height;
  const bool exists = x < width && y < height;

  const int z_first = blockIdx.z * PLANES;
  int i = z_first * plane + y * row + x;

  float before = 0.0f;  // nothing before the first plane
  float current = exists ? input[i] : 0.0f;

  for (int z = z_first; z < min(z_first + PLANES, depth); ++z) {
    float after = 0.0f;
    if (exists && z < depth - 1) {
      after = input[i + plane];
    }

    if (exists) {
      tile[ty][tx] = current;
      if (threadIdx.x == 0 && x > 0) {
        tile[ty][tx - 1] = input[i - 1];
      }
      if (threadIdx.x == TILE_X - 1 && x < width - 1) {
        tile[ty][tx + 1] = input[i + 1];
      }
      if (threadIdx.y == 0 && y > 0) {
        tile[ty - 1][tx] = input[i - row];
      }
      if (threadIdx.y == TILE_Y - 1 && y < height - 1) {
        tile[ty + 1][tx] = input[i + row];
      }
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
    __syncthreads();

    before = current;
    current = after;
    i += plane;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  dim3 grid;
  grid.x = (width + TILE_X - 1) / TILE_X;
  grid.y = (height + TILE_Y - 1) / TILE_Y;
  grid.z = (depth + PLANES - 1) / PLANES;
  stencil_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, width, height, depth);
}
