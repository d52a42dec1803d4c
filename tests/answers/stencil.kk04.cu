// SPDX-License-Identifier: Apache-2.0
// mistake: __syncwarp() stands where __syncthreads() is needed. A row of the tile is one warp, but the neighbours in
//   y are in rows that other warps store: a warp may read the row above or below before it is stored, or overwrite
//   its own row while another warp still reads it. A race wherever height is above 3 or so; depends on timing.
// want: Which warp stores tile[ty - 1][tx]? Which warps does __syncwarp() wait for?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8
#define PLANES 16

__global__ void stencil_kernel(const float* __restrict__ input, float* __restrict__ output, int width, int height,
                               int depth) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * TILE_X + threadIdx.x, y = blockIdx.y * TILE_Y + threadIdx.y;
  const bool in = x < width && y < height;
  const int plane = width * height;
  const int z0 = blockIdx.z * PLANES;
  const int z1 = min(z0 + PLANES, depth);

  int i = z0 * plane + y * width + x;
  float before = (in && z0 > 0) ? input[i - plane] : 0.f;
  float current = in ? input[i] : 0.f;

  for (int z = z0; z < z1; ++z) {
    float after = (in && z < depth - 1) ? input[i + plane] : 0.f;

    // each warp loads one row (32 threads in x)
    tile[ty][tx] = current;
    if (in) {
      if (tx == 1 && x > 0) tile[ty][0] = input[i - 1];
      if (tx == TILE_X && x < width - 1) tile[ty][TILE_X + 1] = input[i + 1];
      if (ty == 1 && y > 0) tile[0][tx] = input[i - width];
      if (ty == TILE_Y && y < height - 1) tile[TILE_Y + 1][tx] = input[i + width];
    }
    __syncwarp();  // cheaper than __syncthreads

    if (in) {
      float v = current;
      if (x > 0 && x < width - 1 && y > 0 && y < height - 1 && z > 0 && z < depth - 1) {
        v = kCentre * current + kNeighbour * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] +
                                              tile[ty + 1][tx] + before + after);
      }
      output[i] = v;
    }
    __syncwarp();
    before = current;
    current = after;
    i += plane;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y, (depth + PLANES - 1) / PLANES);
  stencil_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, width, height, depth);
}
