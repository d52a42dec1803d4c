// SPDX-License-Identifier: Apache-2.0
// mistake: The distance from plane to plane is computed as width * width, not width * height. Right only if width and
//   height are equal (cubes). Otherwise all planes but the first are read and written at wrong places; if width is
//   greater than height, even past the end of input and output. Shows for depth > 1 and width != height.
// want: Take width 4, height 2: at which element does point (0, 0, 1) lie by the formula of the contract, and which
//   one does your kernel take? Which shapes did you test?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8
#define PLANES 32

__global__ void stencil_kernel(const float* __restrict__ input, float* __restrict__ output, int width, int height,
                               int depth) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];

  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;
  const int plane = width * width;
  const bool active = x < width && y < height;
  const bool border = x == 0 || x == width - 1 || y == 0 || y == height - 1;

  const int zs = blockIdx.z * PLANES;
  const int ze = min(zs + PLANES, depth);

  // sliding window along z
  float a = 0, b = 0, c = 0;
  if (active) {
    if (zs > 0) a = input[(zs - 1) * plane + y * width + x];
    b = input[zs * plane + y * width + x];
  }

  for (int z = zs; z < ze; z++) {
    const int i = z * plane + y * width + x;
    if (active) {
      if (z < depth - 1) c = input[i + plane];

      tile[threadIdx.y + 1][threadIdx.x + 1] = b;
      if (threadIdx.x == 0 && x > 0) tile[threadIdx.y + 1][0] = input[i - 1];
      if (threadIdx.x == TILE_X - 1 && x < width - 1) tile[threadIdx.y + 1][TILE_X + 1] = input[i + 1];
      if (threadIdx.y == 0 && y > 0) tile[0][threadIdx.x + 1] = input[i - width];
      if (threadIdx.y == TILE_Y - 1 && y < height - 1) tile[TILE_Y + 1][threadIdx.x + 1] = input[i + width];
    }
    __syncthreads();

    if (active) {
      if (border || z == 0 || z == depth - 1) {
        output[i] = b;
      } else {
        const float left = tile[threadIdx.y + 1][threadIdx.x];
        const float right = tile[threadIdx.y + 1][threadIdx.x + 2];
        const float north = tile[threadIdx.y][threadIdx.x + 1];
        const float south = tile[threadIdx.y + 2][threadIdx.x + 1];
        output[i] = kCentre * b + kNeighbour * (left + right + north + south + a + c);
      }
    }
    __syncthreads();

    a = b;
    b = c;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y, (depth + PLANES - 1) / PLANES);
  stencil_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, width, height, depth);
}
