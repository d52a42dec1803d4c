// SPDX-License-Identifier: Apache-2.0
// mistake: The step from one row to the next is the length of a row, width, but here it is height. For a square plane
//   (width = height) everything is right; otherwise points are loaded from and stored to the wrong elements, some
//   are never written, and with height > width the last rows lie behind the end of input and output.
// want: Take width 4 and height 3. Which element is point (0, 1, 0) by the contract, and which one by your formula?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8
#define PLANES 16

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;

  // distance of two rows, distance of two planes
  const int row = height;
  const int plane = width * height;

  const int z_start = blockIdx.z * PLANES;
  const int z_stop = z_start + PLANES < depth ? z_start + PLANES : depth;
  const bool active = x < width && y < height;
  const bool on_face = x == 0 || x == width - 1 || y == 0 || y == height - 1;
  int i = z_start * plane + y * row + x;

  float last = 0, current = 0, next = 0;
  if (active) {
    if (z_start != 0) {
      last = input[i - plane];
    }
    current = input[i];
  }

  for (int z = z_start; z < z_stop; z++) {
    if (active) {
      if (z != depth - 1) {
        next = input[i + plane];
      }
      tile[ty][tx] = current;
      if (!on_face) {
        if (tx == 1) tile[ty][tx - 1] = input[i - 1];
        if (tx == TILE_X) tile[ty][tx + 1] = input[i + 1];
        if (ty == 1) tile[ty - 1][tx] = input[i - row];
        if (ty == TILE_Y) tile[ty + 1][tx] = input[i + row];
      }
    }
    __syncthreads();
    if (active) {
      if (on_face || z == 0 || z == depth - 1) {
        output[i] = current;
      } else {
        float neighbours = last + next;
        neighbours += tile[ty][tx - 1] + tile[ty][tx + 1];
        neighbours += tile[ty - 1][tx] + tile[ty + 1][tx];
        output[i] = kCentre * current + kNeighbour * neighbours;
      }
    }
    __syncthreads();
    last = current;
    current = next;
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
