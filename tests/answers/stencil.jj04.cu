// SPDX-License-Identifier: Apache-2.0
// mistake: A block walks through 4 planes only, "to have enough blocks". It loads two more, the one before the first and
//   the one after the last: 6 loads for 4 points, plus a frame of about 0.3, are 1.8 floats, 7.2 bytes per point (6.9 for
//   64 x 64 x 64); 6 are allowed. Values are right; every large input shows it.
// want: How many planes does a block load, and how many does it compute? What becomes of that ratio if you double the
//   planes?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8
#define PLANES_PER_BLOCK 4  // a small grid of 64 x 64 x 64 would not fill the GPU with more

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float s[TILE_Y + 2][TILE_X + 2];
  const int x = blockIdx.x * TILE_X + threadIdx.x, y = blockIdx.y * TILE_Y + threadIdx.y;
  const int sx = threadIdx.x + 1, sy = threadIdx.y + 1;
  const bool in = x < width && y < height;
  const int row = width, plane = width * height;

  const int z0 = blockIdx.z * PLANES_PER_BLOCK;
  int i = z0 * plane + y * row + x;
  float before = (in && z0 > 0) ? input[i - plane] : 0.f;
  float current = in ? input[i] : 0.f;

#pragma unroll
  for (int step = 0; step < PLANES_PER_BLOCK; ++step) {
    const int z = z0 + step;
    if (z >= depth) break;  // the same for the whole block
    const float after = (in && z + 1 < depth) ? input[i + plane] : 0.f;
    s[sy][sx] = current;
    if (in) {
      if (sx == 1 && x > 0) s[sy][0] = input[i - 1];
      if (sx == TILE_X && x + 1 < width) s[sy][sx + 1] = input[i + 1];
      if (sy == 1 && y > 0) s[0][sx] = input[i - row];
      if (sy == TILE_Y && y + 1 < height) s[sy + 1][sx] = input[i + row];
    }
    __syncthreads();
    if (in) {
      if (x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1) {
        output[i] = current;
      } else {
        output[i] = kCentre * current + kNeighbour * (s[sy][sx - 1] + s[sy][sx + 1] + s[sy - 1][sx] +
                                                      s[sy + 1][sx] + before + after);
      }
    }
    __syncthreads();
    before = current;
    current = after;
    i += plane;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y,
                  (depth + PLANES_PER_BLOCK - 1) / PLANES_PER_BLOCK);
  stencil_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, width, height, depth);
}
