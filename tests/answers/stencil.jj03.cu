// SPDX-License-Identifier: Apache-2.0
// mistake: The tile is 64 x 2 points. Its frame has two rows of 64 and two columns of 2, more than the tile itself: about
//   2 floats, 8 bytes per point; 6 are allowed. Values are right and sectors are few; every large input shows it.
// want: How many floats does one step of your block load, and for how many points? Which shape of tile has the smallest
//   frame for the same number of threads?

#include "stencil.h"

// Long rows coalesce best, and a small block leaves more blocks to choose from.
#define TILE_X 64
#define TILE_Y 2
#define CHUNK 64

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];

  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;
  const bool valid = x < width && y < height;
  const bool face = x == 0 || x == width - 1 || y == 0 || y == height - 1;
  const int row = width, plane = width * height;
  const int start = blockIdx.z * CHUNK;
  const int stop = start + CHUNK < depth ? start + CHUNK : depth;

  int i = (start * height + y) * width + x;
  float prev = 0, cur = 0, next = 0;
  if (valid) {
    if (start > 0) prev = input[i - plane];
    cur = input[i];
  }
  for (int z = start; z < stop; z++) {
    if (valid && z + 1 < depth) next = input[i + plane];

    tile[threadIdx.y + 1][threadIdx.x + 1] = cur;
    if (valid) {
      if (threadIdx.x == 0 && x > 0) tile[threadIdx.y + 1][0] = input[i - 1];
      if (threadIdx.x == TILE_X - 1 && x < width - 1) tile[threadIdx.y + 1][TILE_X + 1] = input[i + 1];
      if (threadIdx.y == 0 && y > 0) tile[0][threadIdx.x + 1] = input[i - row];
      if (threadIdx.y == TILE_Y - 1 && y < height - 1) tile[TILE_Y + 1][threadIdx.x + 1] = input[i + row];
    }
    __syncthreads();

    if (valid) {
      float result = cur;
      if (!face && z > 0 && z < depth - 1) {
        const float around = tile[threadIdx.y + 1][threadIdx.x] + tile[threadIdx.y + 1][threadIdx.x + 2] +
                             tile[threadIdx.y][threadIdx.x + 1] + tile[threadIdx.y + 2][threadIdx.x + 1];
        result = kCentre * cur + kNeighbour * (around + prev + next);
      }
      output[i] = result;
    }
    __syncthreads();  // all have read, the tile may be overwritten

    prev = cur;
    cur = next;
    i += plane;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y, (depth + CHUNK - 1) / CHUNK);
  dim3 block(TILE_X, TILE_Y);
  stencil_kernel<<<grid, block>>>(input, output, width, height, depth);
}
