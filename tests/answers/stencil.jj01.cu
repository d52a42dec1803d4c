// SPDX-License-Identifier: Apache-2.0
// mistake: Each step loads the thread's element of the current plane again for the tile, though the step before loaded
//   it as the element of the next plane. Two loads per point plus the frame are about 2.3 floats, 9.2 bytes per point;
//   6 are allowed. Values are right; it shows for every large input.
// want: How many steps load the element (x, y, z) of a thread? In which of them could it come from a register?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8
#define PLANES 32

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];
  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int row = width, plane = width * height;
  const bool inside = x < width && y < height;
  const int z_begin = blockIdx.z * PLANES;
  const int z_end = min(z_begin + PLANES, depth);

  int i = z_begin * plane + y * row + x;
  float before = inside && z_begin > 0 ? input[i - plane] : 0.0f;
  for (int z = z_begin; z < z_end; ++z) {
    float after = 0.0f;
    if (inside) {
      // fill the tile and the frame
      tile[ty][tx] = input[i];
      if (threadIdx.x == 0 && x > 0) tile[ty][0] = input[i - 1];
      if (threadIdx.x == TILE_X - 1 && x + 1 < width) tile[ty][TILE_X + 1] = input[i + 1];
      if (threadIdx.y == 0 && y > 0) tile[0][tx] = input[i - row];
      if (threadIdx.y == TILE_Y - 1 && y + 1 < height) tile[TILE_Y + 1][tx] = input[i + row];
      // only one load for the next plane
      if (z + 1 < depth) after = input[i + plane];
    }
    __syncthreads();

    if (inside) {
      if (x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1) {
        output[i] = tile[ty][tx];
      } else {
        output[i] = kCentre * tile[ty][tx] + kNeighbour * (tile[ty][tx - 1] + tile[ty][tx + 1] +
                                                           tile[ty - 1][tx] + tile[ty + 1][tx] + before + after);
      }
    }
    before = tile[ty][tx];  // the plane before is never loaded again
    __syncthreads();
    i += plane;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y, (depth + PLANES - 1) / PLANES);
  stencil_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, width, height, depth);
}
