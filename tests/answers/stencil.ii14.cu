// SPDX-License-Identifier: Apache-2.0
// mistake: Each group of 32 planes starts with before = 0, as if its first plane were plane 0 of the input. In the first
//   group this is fine, plane 0 is a face. In all others the neighbour in the plane before (z = 31, 63, ...) is left
//   out: inner points with z = 32, 64, ... are too small. Shows from depth 34 on; up to depth 33 all is right.
// want: Which block computes the points with z = 32, and from where does it take their neighbour with z = 31?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8
#define ROWS 2  // rows per thread
#define PLANES 32

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[ROWS * TILE_Y + 2][TILE_X + 2];
  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y0 = blockIdx.y * ROWS * TILE_Y + threadIdx.y;
  const int tx = threadIdx.x + 1;
  const int plane = width * height;
  const int z_begin = blockIdx.z * PLANES;
  const int z_end = min(z_begin + PLANES, depth);

  // each thread has two columns, 8 rows apart
  float before[ROWS] = {}, current[ROWS] = {}, after[ROWS] = {};
  for (int r = 0; r < ROWS; r++) {
    const int y = y0 + r * TILE_Y;
    if (x < width && y < height) {
      current[r] = input[z_begin * plane + y * width + x];
    }
  }

  for (int z = z_begin; z < z_end; z++) {
    for (int r = 0; r < ROWS; r++) {
      const int y = y0 + r * TILE_Y;
      const int ty = threadIdx.y + r * TILE_Y + 1;
      const int i = z * plane + y * width + x;
      if (x < width && y < height) {
        after[r] = z < depth - 1 ? input[i + plane] : 0.0f;
        tile[ty][tx] = current[r];
        if (tx == 1 && x > 0) tile[ty][0] = input[i - 1];
        if (tx == TILE_X && x < width - 1) tile[ty][TILE_X + 1] = input[i + 1];
        if (ty == 1 && y > 0) tile[0][tx] = input[i - width];
        if (ty == ROWS * TILE_Y && y < height - 1) tile[ROWS * TILE_Y + 1][tx] = input[i + width];
      }
    }
    __syncthreads();

    for (int r = 0; r < ROWS; r++) {
      const int y = y0 + r * TILE_Y;
      const int ty = threadIdx.y + r * TILE_Y + 1;
      if (x < width && y < height) {
        float result = current[r];
        if (x > 0 && x < width - 1 && y > 0 && y < height - 1 && z > 0 && z < depth - 1) {
          result = kCentre * current[r] + kNeighbour * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] +
                                                        tile[ty + 1][tx] + before[r] + after[r]);
        }
        output[z * plane + y * width + x] = result;
      }
      before[r] = current[r];
      current[r] = after[r];
    }
    __syncthreads();
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + ROWS * TILE_Y - 1) / (ROWS * TILE_Y),
                  (depth + PLANES - 1) / PLANES);
  stencil_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, width, height, depth);
}
