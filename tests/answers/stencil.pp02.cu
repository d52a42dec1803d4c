// SPDX-License-Identifier: Apache-2.0
// mistake: A block begins at plane blockIdx.z, not at blockIdx.z * PLANES.
// want: Block 1 begins at plane 1 instead of plane 16: the blocks overlap.

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8
#define PLANES 16

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * TILE_X + tx;
  const int y = blockIdx.y * TILE_Y + ty;
  const int row = width, plane = width * height;
  const int z0 = blockIdx.z;
  const bool inside = x < width && y < height;

  float before = 0, now = 0, after = 0;
  if (inside) {
    if (z0 > 0) before = input[(z0 - 1) * plane + y * row + x];
    now = input[z0 * plane + y * row + x];
  }
  for (int z = z0; z < z0 + PLANES && z < depth; ++z) {
    const int i = z * plane + y * row + x;
    if (inside && z + 1 < depth) after = input[i + plane];
    tile[ty + 1][tx + 1] = now;
    if (inside) {
      if (tx == 0 && x > 0) tile[ty + 1][0] = input[i - 1];
      if (tx == TILE_X - 1 && x + 1 < width) tile[ty + 1][TILE_X + 1] = input[i + 1];
      if (ty == 0 && y > 0) tile[0][tx + 1] = input[i - row];
      if (ty == TILE_Y - 1 && y + 1 < height) tile[TILE_Y + 1][tx + 1] = input[i + row];
    }
    __syncthreads();
    if (inside) {
      if (x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1) {
        output[i] = now;
      } else {
        output[i] = kCentre * now + kNeighbour * (tile[ty + 1][tx] + tile[ty + 1][tx + 2] + tile[ty][tx + 1] +
                                                  tile[ty + 2][tx + 1] + before + after);
      }
    }
    __syncthreads();
    before = now;
    now = after;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y, (depth + PLANES - 1) / PLANES);
  stencil_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, width, height, depth);
}
