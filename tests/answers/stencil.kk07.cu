// SPDX-License-Identifier: Apache-2.0
// mistake: The register for the plane before gets the new value of the point, not its input. From the second inner
//   plane of a walk on, the neighbour in -z is an output. Wrong for depth >= 4 with inner points; the first inner
//   plane of each group of 32 is right.
// want: The formula speaks of the inputs of the six neighbours. What is in `before` when the loop comes to z = 2: the
//   input or the output of plane 1?

#include "stencil.h"

#define TILE_X 32
#define TILE_Y 8
#define PLANES 32

__device__ bool on_face(int p, int n) { return p == 0 || p == n - 1; }

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];
  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;
  const int u = threadIdx.x + 1, v = threadIdx.y + 1;
  const bool exists = x < width && y < height;
  const int plane = width * height;
  const int start = blockIdx.z * PLANES;
  const int stop = min(start + PLANES, depth);

  int i = start * plane + y * width + x;
  float before = 0, value = 0;
  if (exists) {
    value = input[i];
    if (start > 0) before = input[i - plane];
  }

  for (int z = start; z < stop; ++z) {
    float after = 0;
    if (exists && z + 1 < depth) after = input[i + plane];

    tile[v][u] = value;
    if (exists) {
      if (u == 1 && x > 0) tile[v][0] = input[i - 1];
      if (u == TILE_X && x < width - 1) tile[v][u + 1] = input[i + 1];
      if (v == 1 && y > 0) tile[0][u] = input[i - width];
      if (v == TILE_Y && y < height - 1) tile[v + 1][u] = input[i + width];
    }
    __syncthreads();

    if (exists) {
      if (!on_face(x, width) && !on_face(y, height) && !on_face(z, depth)) {
        value = kCentre * value +
                kNeighbour * (tile[v][u - 1] + tile[v][u + 1] + tile[v - 1][u] + tile[v + 1][u] + before + after);
      }
      output[i] = value;
    }
    __syncthreads();

    // shift the pipeline by one plane
    before = value;
    value = after;
    i += plane;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y, (depth + PLANES - 1) / PLANES);
  stencil_kernel<<<grid, dim3(TILE_X, TILE_Y)>>>(input, output, width, height, depth);
}
