// SPDX-License-Identifier: Apache-2.0
// differs: cubes of 16 points a side in dynamic shared memory, with all of their frame; nothing is kept in registers.
// 256 threads with 16 points each, which walk through the cube by one index.

#include "stencil.h"

#define SIDE 16
#define FRAMED (SIDE + 2)

__global__ void cubes(const float* input, float* output, int width, int height, int depth) {
  extern __shared__ float cube[];
  const int x0 = blockIdx.x * SIDE - 1, y0 = blockIdx.y * SIDE - 1, z0 = blockIdx.z * SIDE - 1;
  for (int i = threadIdx.x; i < FRAMED * FRAMED * FRAMED; i += blockDim.x) {
    const int x = x0 + i % FRAMED, y = y0 + i / FRAMED % FRAMED, z = z0 + i / (FRAMED * FRAMED);
    const int outside = (x <= x0 || x > x0 + SIDE) + (y <= y0 || y > y0 + SIDE) + (z <= z0 || z > z0 + SIDE);
    if (outside < 2 && x >= 0 && x < width && y >= 0 && y < height && z >= 0 && z < depth)
      cube[i] = input[(z * height + y) * width + x];
  }
  __syncthreads();
  for (int j = threadIdx.x; j < SIDE * SIDE * SIDE; j += blockDim.x) {
    const int cx = j % SIDE + 1, cy = j / SIDE % SIDE + 1, cz = j / (SIDE * SIDE) + 1;
    const int x = x0 + cx, y = y0 + cy, z = z0 + cz;
    if (x >= width || y >= height || z >= depth) continue;
    const float* c = cube + (cz * FRAMED + cy) * FRAMED + cx;
    float value = *c;
    if (x > 0 && x + 1 < width && y > 0 && y + 1 < height && z > 0 && z + 1 < depth)
      value = kCentre * value + kNeighbour * (c[-1] + c[1] + c[-FRAMED] + c[FRAMED] + c[-FRAMED * FRAMED] +
                                              c[FRAMED * FRAMED]);
    output[(z * height + y) * width + x] = value;
  }
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + SIDE - 1) / SIDE, (height + SIDE - 1) / SIDE, (depth + SIDE - 1) / SIDE);
  cubes<<<grid, 256, FRAMED * FRAMED * FRAMED * sizeof(float)>>>(input, output, width, height, depth);
}
