// SPDX-License-Identifier: Apache-2.0
// mistake: At the end of a step, current = after comes before before = current, so that both registers hold the next
//   plane. Each later point then adds itself in place of its neighbour at z - 1. Only the first step of a block is
//   right: inner points from plane 1 on are wrong, that is for every depth of 3 or more.
// want: Plane 4 is current, plane 5 is after. What do your two assignments leave in before and current?

#include "stencil.h"

namespace {

constexpr int kX = 32, kY = 8, kZ = 32;

struct Tile {
  float value[kY + 2][kX + 2];
};

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ Tile tile;
  const int x = blockIdx.x * kX + threadIdx.x;
  const int y = blockIdx.y * kY + threadIdx.y;
  const int column = threadIdx.x + 1, line = threadIdx.y + 1;
  const bool inside = x < width && y < height;
  const bool rim = x == 0 || y == 0 || x == width - 1 || y == height - 1;
  const int plane = width * height;
  const int z0 = blockIdx.z * kZ;
  const int z1 = min(z0 + kZ, depth);

  int i = (z0 * height + y) * width + x;
  float before = inside && z0 > 0 ? input[i - plane] : 0.0f;
  float current = inside ? input[i] : 0.0f;
  for (int z = z0; z < z1; ++z) {
    const float after = inside && z + 1 < depth ? input[i + plane] : 0.0f;
    tile.value[line][column] = current;
    if (inside) {
      if (column == 1 && x > 0) tile.value[line][0] = input[i - 1];
      if (column == kX && x + 1 < width) tile.value[line][kX + 1] = input[i + 1];
      if (line == 1 && y > 0) tile.value[0][column] = input[i - width];
      if (line == kY && y + 1 < height) tile.value[kY + 1][column] = input[i + width];
    }
    __syncthreads();

    if (inside) {
      float result = current;
      if (!rim && z > 0 && z + 1 < depth) {
        float sum = before + after;
        sum += tile.value[line][column - 1] + tile.value[line][column + 1];
        sum += tile.value[line - 1][column] + tile.value[line + 1][column];
        result = kCentre * current + kNeighbour * sum;
      }
      output[i] = result;
    }
    __syncthreads();

    // Shift the registers by one plane.
    current = after;
    before = current;
    i += plane;
  }
}

}  // namespace

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + kX - 1) / kX, (height + kY - 1) / kY, (depth + kZ - 1) / kZ);
  stencil_kernel<<<grid, dim3(kX, kY)>>>(input, output, width, height, depth);
}
