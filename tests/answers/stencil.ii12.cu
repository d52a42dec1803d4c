// SPDX-License-Identifier: Apache-2.0
// mistake: At the end of a step, `current = after` comes before `before = current`, so the old current is lost and
//   `before` is always equal to `current`: the neighbour below is replaced by the point itself. Shows for all inner
//   points with z >= 2 (only the first step after a fresh load is right), so from depth 4 on.
// want: Take the values before = 1, current = 2, after = 3. What should before and current be in the next step, and
//   what are they after your two lines?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int row = width, plane = width * height;
  int i = y * row + x;

  float before = 0.f, current = 0.f, after = 0.f;

  // plane 0 is only copied
  if (x < width && y < height) {
    before = input[i];
    output[i] = before;
    if (depth > 1) {
      current = input[i + plane];
    }
  }

  for (int z = 1; z < depth; z++) {
    i += plane;
    if (x < width && y < height) {
      // 1. own element
      tile[threadIdx.y + 1][threadIdx.x + 1] = current;
      // 2. frame left and right
      if (threadIdx.x == 0 && x > 0) {
        tile[threadIdx.y + 1][0] = input[i - 1];
      } else if (threadIdx.x == TILE_X - 1 && x < width - 1) {
        tile[threadIdx.y + 1][TILE_X + 1] = input[i + 1];
      }
      // 3. frame up and down
      if (threadIdx.y == 0 && y > 0) {
        tile[0][threadIdx.x + 1] = input[i - row];
      } else if (threadIdx.y == TILE_Y - 1 && y < height - 1) {
        tile[TILE_Y + 1][threadIdx.x + 1] = input[i + row];
      }
      // 4. next plane
      if (z + 1 < depth) {
        after = input[i + plane];
      }
    }
    __syncthreads();

    if (x < width && y < height) {
      if (x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == depth - 1) {
        output[i] = current;
      } else {
        const float left = tile[threadIdx.y + 1][threadIdx.x];
        const float right = tile[threadIdx.y + 1][threadIdx.x + 2];
        const float up = tile[threadIdx.y][threadIdx.x + 1];
        const float down = tile[threadIdx.y + 2][threadIdx.x + 1];
        output[i] = kCentre * current + kNeighbour * (left + right + up + down + before + after);
      }
    }
    __syncthreads();

    // everything moves on by one plane
    current = after;
    before = current;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 block(TILE_X, TILE_Y, 1);
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y, 1);
  stencil_kernel<<<grid, block>>>(input, output, width, height, depth);
}
