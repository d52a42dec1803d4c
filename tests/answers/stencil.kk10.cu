// SPDX-License-Identifier: Apache-2.0
// mistake: The sizes are copied to constant memory in the first call only. A later call with other sizes computes
//   with those of the first one: wrong points, or accesses outside the arrays. The first call is right.
// want: A program calls stencil for 64 x 64 x 64 and then for 100 x 50 x 20. What is in `size` during the second
//   call?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8
#define PLANES 16

__constant__ int size[3];  // width, height, depth: fewer kernel arguments

__global__ void stencil_kernel(const float* input, float* output) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];
  const int w = size[0], h = size[1], d = size[2];
  const int x = blockIdx.x * TILE_X + threadIdx.x, y = blockIdx.y * TILE_Y + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const bool inside = x < w && y < h;
  const int begin = blockIdx.z * PLANES, end = min(begin + PLANES, d);

  int i = (begin * h + y) * w + x;
  float before = inside && begin > 0 ? input[i - w * h] : 0;
  float current = inside && begin < d ? input[i] : 0;
  for (int z = begin; z < end; ++z) {
    float after = inside && z < d - 1 ? input[i + w * h] : 0;
    tile[ty][tx] = current;
    if (inside && threadIdx.x == 0 && x > 0) tile[ty][0] = input[i - 1];
    if (inside && threadIdx.x == TILE_X - 1 && x < w - 1) tile[ty][tx + 1] = input[i + 1];
    if (inside && threadIdx.y == 0 && y > 0) tile[0][tx] = input[i - w];
    if (inside && threadIdx.y == TILE_Y - 1 && y < h - 1) tile[ty + 1][tx] = input[i + w];
    __syncthreads();
    if (inside) {
      if (x == 0 || x == w - 1 || y == 0 || y == h - 1 || z == 0 || z == d - 1) {
        output[i] = current;
      } else {
        output[i] = kCentre * current + kNeighbour * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] +
                                                      tile[ty + 1][tx] + before + after);
      }
    }
    __syncthreads();
    before = current;
    current = after;
    i += w * h;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  static bool initialised = false;
  if (!initialised) {
    const int values[3] = {width, height, depth};
    cudaMemcpyToSymbol(size, values, sizeof(values));
    initialised = true;
  }
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y, (depth + PLANES - 1) / PLANES);
  stencil_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output);
}
