// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: each block along z begins one plane after the one before.
#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8
#define PLANES 16

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * TILE_X + tx;
  const int y = blockIdx.y * TILE_Y + ty;
  const int first = blockIdx.z;
  const int end = min(first + PLANES, depth);
  const bool exists = x < width && y < height;
  const int plane = width * height;
  int i = first * plane + y * width + x;

  float before = exists && first > 0 ? input[i - plane] : 0.0f;
  float here = exists ? input[i] : 0.0f;

  for (int z = first; z < end; ++z, i += plane) {
    const float after = exists && z + 1 < depth ? input[i + plane] : 0.0f;

    tile[ty + 1][tx + 1] = here;
    if (exists) {
      if (tx == 0 && x > 0) tile[ty + 1][0] = input[i - 1];
      if (tx == TILE_X - 1 && x + 1 < width) tile[ty + 1][TILE_X + 1] = input[i + 1];
      if (ty == 0 && y > 0) tile[0][tx + 1] = input[i - width];
      if (ty == TILE_Y - 1 && y + 1 < height) tile[TILE_Y + 1][tx + 1] = input[i + width];
    }
    __syncthreads();

    if (exists) {
      const bool on_face = x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1;
      if (on_face) {
        output[i] = here;
      } else {
        output[i] = kCentre * here + kNeighbour * (tile[ty + 1][tx] + tile[ty + 1][tx + 2] +
                                                   tile[ty][tx + 1] + tile[ty + 2][tx + 1] + before + after);
      }
    }
    __syncthreads();

    before = here;
    here = after;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y,
                  (depth + PLANES - 1) / PLANES);
  stencil_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, width, height, depth);
}
