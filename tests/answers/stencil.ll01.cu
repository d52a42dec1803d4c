// SPDX-License-Identifier: Apache-2.0
// mistake: The loop over the planes has one barrier only, between filling the tile and reading it. A fast warp goes on
//   to the next plane and overwrites the tile while a slow warp still reads its neighbours of this plane there: a race.
//   Can show for every input with inner points whose tile has more than one row and more than one plane.
// want: Warp 0 has written its outputs of plane z and starts plane z + 1; warp 3 has just passed the barrier. What does
//   warp 0 do next to row 0 of the tile, and who may still need that row?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8
#define PLANES 32

// Walks through up to PLANES planes.
__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];

  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;
  const bool inside = x < width && y < height;
  const int row = width, plane = width * height;

  const int first = blockIdx.z * PLANES;
  const int last = min(first + PLANES, depth);
  int i = first * plane + y * row + x;

  float before = inside && first > 0 ? input[i - plane] : 0.0f;
  float current = inside ? input[i] : 0.0f;
  for (int z = first; z < last; ++z) {
    const float after = inside && z + 1 < depth ? input[i + plane] : 0.0f;

    // tile and frame
    tile[ty][tx] = current;
    if (inside) {
      if (threadIdx.x == 0 && x > 0) tile[ty][0] = input[i - 1];
      if (threadIdx.x == TILE_X - 1 && x + 1 < width) tile[ty][TILE_X + 1] = input[i + 1];
      if (threadIdx.y == 0 && y > 0) tile[0][tx] = input[i - row];
      if (threadIdx.y == TILE_Y - 1 && y + 1 < height) tile[TILE_Y + 1][tx] = input[i + row];
    }
    __syncthreads();  // the tile is complete

    if (inside) {
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
