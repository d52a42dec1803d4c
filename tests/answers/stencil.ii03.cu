// SPDX-License-Identifier: Apache-2.0
// mistake: `next` already points to plane z + 1 when the frame is loaded through it. So the inside of the tile is
//   plane z, but its frame is plane z + 1. Points at the border of a tile that have a neighbour in the next tile
//   take that neighbour from the wrong plane. Shows if there are inner points and width is 33 or more, or height 9 or
//   more; an input of one tile is right.
// want: In the step for z, which plane does tile[ty][tx] belong to, and which one tile[ty][0]? Print z for both.

#include "stencil.h"

#define TX 32
#define TY 8
#define GROUP 16

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[TY + 2][TX + 2];
  const int x = blockIdx.x * TX + threadIdx.x;
  const int y = blockIdx.y * TY + threadIdx.y;
  const int tx = threadIdx.x + 1;
  const int ty = threadIdx.y + 1;
  const int plane = width * height;
  const bool in = x < width && y < height;
  const bool face = x == 0 || x == width - 1 || y == 0 || y == height - 1;

  int z = blockIdx.z * GROUP;
  const int z_end = min(z + GROUP, depth);

  const float* next = input + z * plane + y * width + x;
  float* out = output + z * plane + y * width + x;
  float below = in && z > 0 ? next[-plane] : 0.0f;
  float middle = in ? next[0] : 0.0f;

  for (; z < z_end; z++) {
    next += plane;
    float above = 0.0f;
    if (in) {
      tile[ty][tx] = middle;
      if (z + 1 < depth) {
        above = next[0];
        // the frame. Not the corners, nobody needs them
        if (tx == 1 && x > 0) tile[ty][0] = next[-1];
        if (tx == TX && x + 1 < width) tile[ty][TX + 1] = next[1];
        if (ty == 1 && y > 0) tile[0][tx] = next[-width];
        if (ty == TY && y + 1 < height) tile[TY + 1][tx] = next[width];
      }
    }
    __syncthreads();

    if (in) {
      if (face || z == 0 || z == depth - 1) {
        *out = middle;
      } else {
        const float x_sum = tile[ty][tx - 1] + tile[ty][tx + 1];
        const float y_sum = tile[ty - 1][tx] + tile[ty + 1][tx];
        *out = kCentre * middle + kNeighbour * (x_sum + y_sum + below + above);
      }
    }
    __syncthreads();

    below = middle;
    middle = above;
    out += plane;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + TX - 1) / TX, (height + TY - 1) / TY, (depth + GROUP - 1) / GROUP);
  stencil_kernel<<<grid, dim3(TX, TY)>>>(input, output, width, height, depth);
}
