// SPDX-License-Identifier: Apache-2.0
// mistake: The values are right, but only the neighbours in x and y come from shared memory. Each point still loads its
//   neighbours in z from global memory, though the same thread loads these very elements as its own in the step
//   before and after: about 1 + 2 + 0.3 floats per point, 13 bytes instead of at most 6. Shows for every large input.
// want: In how many steps does this thread load element (x, y, 5), and in which ones? Where could it keep the
//   element in between?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float s[TILE_Y + 2][TILE_X + 2];
  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;
  const int sx = threadIdx.x + 1, sy = threadIdx.y + 1;
  const int row = width, plane = width * height;
  const bool valid = x < width && y < height;

  // walk through the planes
  for (int z = 0; z < depth; z++) {
    const int i = z * plane + y * row + x;

    if (valid) {
      s[sy][sx] = input[i];
      if (sx == 1 && x > 0) s[sy][0] = input[i - 1];
      if (sx == TILE_X && x < width - 1) s[sy][TILE_X + 1] = input[i + 1];
      if (sy == 1 && y > 0) s[0][sx] = input[i - row];
      if (sy == TILE_Y && y < height - 1) s[TILE_Y + 1][sx] = input[i + row];
    }
    __syncthreads();

    if (valid) {
      float result = s[sy][sx];
      if (x > 0 && x < width - 1 && y > 0 && y < height - 1 && z > 0 && z < depth - 1) {
        // the planes before and after, in registers
        const float before = input[i - plane];
        const float after = input[i + plane];
        result = kCentre * result +
                 kNeighbour * (s[sy][sx - 1] + s[sy][sx + 1] + s[sy - 1][sx] + s[sy + 1][sx] + before + after);
      }
      output[i] = result;
    }
    // before the tile is filled again
    __syncthreads();
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y);
  stencil_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, width, height, depth);
}
