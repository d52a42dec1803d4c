// SPDX-License-Identifier: Apache-2.0
// mistake: There is no barrier at the end of the loop. A fast warp fills its rows of the tile with the next plane while
//   another warp still reads its neighbours of the current one: a race. Wrong values here and there for inputs with 4 or
//   more planes and tiles of more than one warp.
// want: Warp 0 has finished its step, warp 1 has not. What does warp 0 do next, and what does warp 1 read?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8
#define CHUNK 32

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];
  const int tx = threadIdx.x + 1;
  const int ty = threadIdx.y + 1;
  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;
  const int row = width, plane = width * height;
  const bool inside = x < width && y < height;
  const int begin = blockIdx.z * CHUNK;
  const int end = min(begin + CHUNK, depth);

  int i = begin * plane + y * row + x;
  float before = inside && begin > 0 ? input[i - plane] : 0.0f;
  float current = inside ? input[i] : 0.0f;

  for (int z = begin; z < end; ++z) {
    const float after = inside && z + 1 < depth ? input[i + plane] : 0.0f;

    tile[ty][tx] = current;
    if (inside) {
      if (threadIdx.x == 0 && x > 0) tile[ty][0] = input[i - 1];
      if (threadIdx.x == TILE_X - 1 && x + 1 < width) tile[ty][TILE_X + 1] = input[i + 1];
      if (threadIdx.y == 0 && y > 0) tile[0][tx] = input[i - row];
      if (threadIdx.y == TILE_Y - 1 && y + 1 < height) tile[TILE_Y + 1][tx] = input[i + row];
    }
    // Wait until the tile is complete.
    __syncthreads();

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
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y, (depth + CHUNK - 1) / CHUNK);
  stencil_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, width, height, depth);
}
