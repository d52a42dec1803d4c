// SPDX-License-Identifier: Apache-2.0
// mistake: (cost) A block walks through 4 planes only, and loads two more for them, before and after: 6 planes for 4,
//   1.5 floats per point without the frame, about 1.7 to 1.8 with it, where 1.5 are allowed. The values are right.
//   Shows for every large input.
// want: How many planes does a block load to compute 4, and how many to compute 16 or 32? Add what the frame of a
//   32 x 8 tile costs per point. What is the sum for each of these?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8
#define PLANES_PER_BLOCK 4  // small, so that there are enough blocks to fill the GPU

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];

  const int lx = threadIdx.x + 1;
  const int ly = threadIdx.y + 1;
  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;
  const int plane = width * height;
  const bool valid = x < width && y < height;
  const bool rim = x == 0 || x == width - 1 || y == 0 || y == height - 1;

  const int zBegin = blockIdx.z * PLANES_PER_BLOCK;
  const int zEnd = min(zBegin + PLANES_PER_BLOCK, depth);
  const float* in = input + zBegin * plane + y * width + x;
  float* out = output + zBegin * plane + y * width + x;

  float below = 0, here = 0, above = 0;
  if (valid) {
    if (zBegin > 0) below = in[-plane];
    here = in[0];
  }

  for (int z = zBegin; z < zEnd; ++z) {
    if (valid) {
      if (z + 1 < depth) above = in[plane];
      if (threadIdx.x == 0 && x > 0) tile[ly][0] = in[-1];
      if (threadIdx.x == TILE_X - 1 && x < width - 1) tile[ly][TILE_X + 1] = in[1];
      if (threadIdx.y == 0 && y > 0) tile[0][lx] = in[-width];
      if (threadIdx.y == TILE_Y - 1 && y < height - 1) tile[TILE_Y + 1][lx] = in[width];
    }
    tile[ly][lx] = here;
    __syncthreads();

    if (valid) {
      if (rim || z == 0 || z == depth - 1) {
        *out = here;
      } else {
        const float sum = tile[ly][lx - 1] + tile[ly][lx + 1] + tile[ly - 1][lx] + tile[ly + 1][lx] + below + above;
        *out = kCentre * here + kNeighbour * sum;
      }
    }
    __syncthreads();

    below = here;
    here = above;
    in += plane;
    out += plane;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y,
                  (depth + PLANES_PER_BLOCK - 1) / PLANES_PER_BLOCK);
  stencil_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, width, height, depth);
}
