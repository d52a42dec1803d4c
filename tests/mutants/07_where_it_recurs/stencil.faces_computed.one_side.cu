// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the last points of a row are computed, too.
#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8
#define CHUNK 32

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];
  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;
  const int tx = threadIdx.x + 1;
  const int ty = threadIdx.y + 1;
  const int row = width, plane = width * height;
  const bool inside = x < width && y < height;

  const int z_start = blockIdx.z * CHUNK;
  const int z_end = min(depth, z_start + CHUNK);
  int i = z_start * plane + y * row + x;
  float before = 0.0f;
  float current = 0.0f;
  float after = 0.0f;
  if (inside) {
    current = input[i];
    before = z_start > 0 ? input[i - plane] : 0.0f;
  }

  for (int z = z_start; z < z_end; ++z) {
    if (inside) {
      after = z < depth - 1 ? input[i + plane] : 0.0f;
      tile[ty][tx] = current;

      if (threadIdx.x == 0) {
        tile[ty][0] = x > 0 ? input[i - 1] : 0.0f;
      }
      if (threadIdx.x == TILE_X - 1 || x == width - 1) {
        tile[ty][tx + 1] = x < width - 1 ? input[i + 1] : 0.0f;
      }
      if (threadIdx.y == 0) {
        tile[0][tx] = y > 0 ? input[i - row] : 0.0f;
      }
      if (threadIdx.y == TILE_Y - 1 || y == height - 1) {
        tile[ty + 1][tx] = y < height - 1 ? input[i + row] : 0.0f;
      }
    }
    __syncthreads();

    if (inside) {
      if (x == 0 || y == 0 || y == height - 1 || z == 0 || z == depth - 1) {
        output[i] = current;
      } else {
        output[i] = kCentre * current + kNeighbour * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] +
                                                      tile[ty + 1][tx] + before + after);
      }
    }
    __syncthreads();
    before = current;
    current = after;
    i += plane;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y, (depth + CHUNK - 1) / CHUNK);
  stencil_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, width, height, depth);
}
