// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: border threads only load, but blocks begin as far apart as they have threads.
#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8
#define PLANES 32

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[TILE_Y][TILE_X];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * TILE_X + tx - 1;
  const int y = blockIdx.y * TILE_Y + ty - 1;
  const int first = blockIdx.z * PLANES;
  const int end = min(first + PLANES, depth);
  const bool exists = x >= 0 && x < width && y >= 0 && y < height;
  const bool computes = exists && tx > 0 && tx < TILE_X - 1 && ty > 0 && ty < TILE_Y - 1;
  const int plane = width * height;
  int i = first * plane + y * width + x;

  float before = exists && first > 0 ? input[i - plane] : 0.0f;
  float here = exists ? input[i] : 0.0f;

  for (int z = first; z < end; ++z, i += plane) {
    const float after = exists && z + 1 < depth ? input[i + plane] : 0.0f;

    tile[ty][tx] = here;
    __syncthreads();

    if (computes) {
      const bool on_face = x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1;
      if (on_face) {
        output[i] = here;
      } else {
        output[i] = kCentre * here + kNeighbour * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] +
                                                   tile[ty + 1][tx] + before + after);
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
