// SPDX-License-Identifier: Apache-2.0
// mistake: x and y are unsigned, so `x - 1 >= 0` and `y - 1 >= 0` are always true: 0 - 1 is 4294967295. The block at the
//   left and upper edge loads frame elements that do not exist. At point (0, 0, 0) the index wraps around to about
//   4 billion elements behind the input (in y for all x of the first row of plane 0): an illegal access, and the
//   kernel is aborted. Shows for every input.
// want: What is x - 1 for x = 0, if x is unsigned? Which element does thread (0, 0) of block (0, 0) load for the left
//   frame?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8

__global__ void stencil_kernel(const float* input, float* output, unsigned width, unsigned height, unsigned depth) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];
  const unsigned int x = blockIdx.x * TILE_X + threadIdx.x;
  const unsigned int y = blockIdx.y * TILE_Y + threadIdx.y;
  const unsigned int tx = threadIdx.x + 1;
  const unsigned int ty = threadIdx.y + 1;
  const unsigned int plane = width * height;
  const bool in_plane = x < width && y < height;

  float down = 0, mid = 0, up = 0;
  if (in_plane) {
    mid = input[y * width + x];
  }

  for (unsigned int z = 0; z < depth; z++) {
    const unsigned int i = z * plane + y * width + x;
    if (in_plane) {
      if (z + 1 < depth) {
        up = input[i + plane];
      }
      tile[ty][tx] = mid;
      // frame, if there is a neighbour
      if (tx == 1 && x - 1 >= 0) {
        tile[ty][0] = input[i - 1];
      }
      if (tx == TILE_X && x + 1 < width) {
        tile[ty][TILE_X + 1] = input[i + 1];
      }
      if (ty == 1 && y - 1 >= 0) {
        tile[0][tx] = input[i - width];
      }
      if (ty == TILE_Y && y + 1 < height) {
        tile[TILE_Y + 1][tx] = input[i + width];
      }
    }
    __syncthreads();

    if (in_plane) {
      if (x == 0 || x + 1 == width || y == 0 || y + 1 == height || z == 0 || z + 1 == depth) {
        output[i] = mid;
      } else {
        output[i] = kCentre * mid + kNeighbour * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] +
                                                  tile[ty + 1][tx] + down + up);
      }
    }
    __syncthreads();
    down = mid;
    mid = up;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y);
  stencil_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, width, height, depth);
}
