// SPDX-License-Identifier: Apache-2.0
// mistake: Each step loads the element of the next plane without asking whether there is one. In plane depth - 1, all
//   threads read one plane past the end of input. The value is never used, so outputs look right, but the read is out
//   of bounds: compute-sanitizer reports it, or the kernel dies. For every input.
// want: Take depth 1. Which element does thread (0, 0) load into `up`, and how many elements has input? Does it help
//   that you don't use the value?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 16
#define PLANES 16

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * TILE_X + tx;
  const int y = blockIdx.y * TILE_Y + ty;
  const int z0 = blockIdx.z * PLANES;
  const int planeSize = width * height;
  const bool inGrid = x < width && y < height;

  int i = z0 * planeSize + y * width + x;
  float down = 0.0f, mid = 0.0f, up = 0.0f;
  if (inGrid) {
    mid = input[i];
    if (z0 > 0) down = input[i - planeSize];
  }

  for (int z = z0; z < z0 + PLANES && z < depth; ++z, i += planeSize) {
    if (inGrid) {
      up = input[i + planeSize];  // the top plane is only copied, there it doesn't matter

      if (tx == 0 && x != 0) tile[ty + 1][0] = input[i - 1];
      if (tx == TILE_X - 1 && x != width - 1) tile[ty + 1][TILE_X + 1] = input[i + 1];
      if (ty == 0 && y != 0) tile[0][tx + 1] = input[i - width];
      if (ty == TILE_Y - 1 && y != height - 1) tile[TILE_Y + 1][tx + 1] = input[i + width];
      tile[ty + 1][tx + 1] = mid;
    }
    __syncthreads();

    if (inGrid) {
      const bool face = x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1;
      float result = mid;
      if (!face) {
        result = kCentre * mid + kNeighbour * (tile[ty + 1][tx] + tile[ty + 1][tx + 2] + tile[ty][tx + 1] +
                                               tile[ty + 2][tx + 1] + down + up);
      }
      output[i] = result;
    }
    __syncthreads();

    down = mid;
    mid = up;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 block(TILE_X, TILE_Y);
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y, (depth + PLANES - 1) / PLANES);
  stencil_kernel<<<grid, block>>>(input, output, width, height, depth);
}
