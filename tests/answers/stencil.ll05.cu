// SPDX-License-Identifier: Apache-2.0
// mistake: (cost) The tile serves only the neighbours in x and y. Those in z come from global memory for each point
//   again, with nothing kept from the step before: about 3 floats per point, where 1.5 are allowed. The values are
//   right. Shows for every large input.
// want: How many times does a thread load the element at (x, y, 5) while it walks from plane 4 to plane 6? Where could
//   the thread keep it in between?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8
#define PLANES 16

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];

  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;
  const int tx = threadIdx.x + 1;
  const int ty = threadIdx.y + 1;
  const int row = width, plane = width * height;

  for (int k = 0; k < PLANES; k++) {
    const int z = blockIdx.z * PLANES + k;
    if (z >= depth) {
      break;  // the same for all threads of the block
    }
    const int i = z * plane + y * row + x;

    // load the tile with its frame
    if (x < width && y < height) {
      tile[ty][tx] = input[i];
      if (tx == 1 && x > 0) tile[ty][0] = input[i - 1];
      if (tx == TILE_X && x < width - 1) tile[ty][TILE_X + 1] = input[i + 1];
      if (ty == 1 && y > 0) tile[0][tx] = input[i - row];
      if (ty == TILE_Y && y < height - 1) tile[TILE_Y + 1][tx] = input[i + row];
    }
    __syncthreads();

    if (x < width && y < height) {
      if (x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1) {
        output[i] = tile[ty][tx];
      } else {
        // x and y from shared memory; only the planes above and below are not in the tile
        float sum = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx];
        sum += input[i - plane] + input[i + plane];
        output[i] = kCentre * tile[ty][tx] + kNeighbour * sum;
      }
    }
    __syncthreads();
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y, (depth + PLANES - 1) / PLANES);
  stencil_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, width, height, depth);
}
