// SPDX-License-Identifier: Apache-2.0
// mistake: The condition for a face has x == width in place of x == width - 1.
// want: output(2, 1, 1) of 3 x 3 x 3 is on a face, but it is computed. The condition for x is
//   wrong, not the frame.

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8
#define PLANES 16

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];

  const int tx = threadIdx.x + 1;
  const int ty = threadIdx.y + 1;
  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;
  const int row = width, plane = width * height;
  const int z_begin = blockIdx.z * PLANES;
  const int z_end = min(z_begin + PLANES, depth);
  const bool inside = x < width && y < height;

  float before = 0.0f, current = 0.0f, after = 0.0f;
  if (inside) {
    if (z_begin > 0) before = input[(z_begin - 1) * plane + y * row + x];
    current = input[z_begin * plane + y * row + x];
  }
  for (int z = z_begin; z < z_end; ++z) {
    const int i = z * plane + y * row + x;
    if (inside) {
      if (z + 1 < depth) after = input[i + plane];
      tile[ty][tx] = current;
      if (threadIdx.x == 0 && x > 0) tile[ty][0] = input[i - 1];
      if (threadIdx.x == TILE_X - 1 && x + 1 < width) tile[ty][TILE_X + 1] = input[i + 1];
      if (threadIdx.y == 0 && y > 0) tile[0][tx] = input[i - row];
      if (threadIdx.y == TILE_Y - 1 && y + 1 < height) tile[TILE_Y + 1][tx] = input[i + row];
    }
    __syncthreads();
    if (inside) {
      if (x == 0 || x == width || y == 0 || y == height - 1 || z == 0 || z == depth - 1) {
        output[i] = current;
      } else {
        output[i] = kCentre * current + kNeighbour * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] +
                                                      tile[ty + 1][tx] + before + after);
      }
    }
    __syncthreads();
    before = current;
    current = after;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y, (depth + PLANES - 1) / PLANES);
  stencil_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, width, height, depth);
}
