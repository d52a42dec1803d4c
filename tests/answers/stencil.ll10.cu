// SPDX-License-Identifier: Apache-2.0
// mistake: Points on a face are not written at all. "Keeps its input" means that output gets the input there; output is
//   another array and holds whatever was in memory. Shows for every input: each has faces.
// want: The input of point (0, 0, 0) is 7. What should output[0] be after the call, and which of your lines writes it?
//   Are input and output the same memory?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 16

// One block per tile: it walks through all planes from front to back. So each element of the tile is loaded once.
__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];

  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;
  const bool in_plane = x < width && y < height;
  const bool inner = x > 0 && x < width - 1 && y > 0 && y < height - 1;
  const int row = width, plane = width * height;

  int i = y * row + x;
  float front = in_plane ? input[i] : 0.0f;
  float centre = in_plane && depth > 1 ? input[i + plane] : 0.0f;
  i += plane;

  // Points on the faces keep their value, so the walk goes from plane 1 to plane depth - 2.
  for (int z = 1; z < depth - 1; ++z) {
    float back = 0.0f;
    if (in_plane) {
      back = input[i + plane];
      tile[ty][tx] = centre;
      if (tx == 1 && x > 0) tile[ty][0] = input[i - 1];
      if (tx == TILE_X && x < width - 1) tile[ty][TILE_X + 1] = input[i + 1];
      if (ty == 1 && y > 0) tile[0][tx] = input[i - row];
      if (ty == TILE_Y && y < height - 1) tile[TILE_Y + 1][tx] = input[i + row];
    }
    __syncthreads();

    if (inner) {
      output[i] = kCentre * centre + kNeighbour * (front + back + tile[ty][tx - 1] + tile[ty][tx + 1] +
                                                   tile[ty - 1][tx] + tile[ty + 1][tx]);
    }
    __syncthreads();

    front = centre;
    centre = back;
    i += plane;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y);
  stencil_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, width, height, depth);
}
